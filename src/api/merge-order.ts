import { readJournal } from '../journal/journal-reader.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import { hashText } from '../match/hash-text.ts';

/** Where a record stands, and its place in the plan. Numbers only: of a million records, nothing else is held. */
export interface MergedEntry {
  readonly run: number;
  readonly offset: number;
  readonly length: number;
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly repeat: number;
  readonly idHash: number;
  readonly nth: number;
}

/**
 * The records of several runs in the order of the plan, whatever order they were made in: by file, place and repeat. An
 * attempt that is there more than once counts as in its last record.
 */
export function orderRecords(
  runs: readonly RunDirectory[],
  files: readonly string[],
): readonly MergedEntry[] {
  const fileNumbers = new Map(files.map((file, index) => [file, index]));
  const entries: MergedEntry[] = [];
  for (const [run, { journalPath }] of runs.entries()) {
    for (const { record, offset, length } of readJournal(journalPath)) {
      const { id, line, column, repeat } = record;
      const file = fileNumbers.get(record.file) ?? fileNumbers.size;
      fileNumbers.set(record.file, file);
      const [high, low] = hashText(id);
      const idHash = (high & 0x1fffff) * 2 ** 32 + low;
      entries.push({ run, offset, length, file, line, column, repeat, idHash, nth: entries.length });
    }
  }
  const latest = new Map<number, number>();
  for (const { idHash, nth } of entries) latest.set(idHash, nth);
  return entries.filter(({ idHash, nth }) => latest.get(idHash) === nth).sort(byPlan);
}

function byPlan(a: MergedEntry, b: MergedEntry): number {
  return a.file - b.file || a.line - b.line || a.column - b.column || a.repeat - b.repeat || a.nth - b.nth;
}
