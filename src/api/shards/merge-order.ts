import { readJournal } from '../../runs/journal/journal-reader.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { hashText } from '../../base/match/hash-text.ts';

/**
 * The place of a record in its journal, and in the plan. Only numbers: with a million records, nothing else fits in
 * memory.
 */
interface MergedEntry {
  readonly run: number;
  readonly offset: number;
  readonly length: number;
  /** Its place in the list of files. */
  readonly file: number;
  readonly line: number;
  readonly column: number;
  readonly repeat: number;
  readonly idHash: number;
  readonly nth: number;
}

export interface MergeOrder {
  readonly entries: readonly MergedEntry[];
  /** How many attempts of each file there are. */
  readonly planned: ReadonlyMap<string, number>;
}

/**
 * The records of several runs in the order of the plan: by file, place and repeat. If an attempt occurs more than
 * once, its last record counts.
 */
export function orderRecords(runs: readonly RunDirectory[], files: readonly string[]): MergeOrder {
  const fileNumbers = new Map(files.map((file, index) => [file, index]));
  const all: MergedEntry[] = [];
  for (const [run, { journalPath }] of runs.entries()) {
    for (const { record, offset, length } of readJournal(journalPath)) {
      const { id, line, column, repeat } = record;
      const file = fileNumbers.get(record.file) ?? fileNumbers.size;
      fileNumbers.set(record.file, file);
      const [high, low] = hashText(id);
      const idHash = (high & 0x1fffff) * 2 ** 32 + low;
      all.push({ run, offset, length, file, line, column, repeat, idHash, nth: all.length });
    }
  }
  const latest = new Map<number, number>();
  for (const { idHash, nth } of all) latest.set(idHash, nth);
  const entries = all.filter(({ idHash, nth }) => latest.get(idHash) === nth).sort(byPlan);
  return { entries, planned: countByFile(entries, [...fileNumbers.keys()]) };
}

function byPlan(a: MergedEntry, b: MergedEntry): number {
  return a.file - b.file || a.line - b.line || a.column - b.column || a.repeat - b.repeat || a.nth - b.nth;
}

function countByFile(entries: readonly MergedEntry[], files: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { file } of entries) counts.set(files[file]!, (counts.get(files[file]!) ?? 0) + 1);
  return counts;
}
