import type { JournalIndex } from './journal-index.ts';
import { parseRecord } from '../../runs/journal/journal-reader.ts';
import { readLineAt } from '../../runs/journal/record-file.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import { currentLabels } from '../../runs/labels/current-labels.ts';
import { appendLabel, readLabels } from '../../runs/labels/label-file.ts';
import { recordHash } from '../../runs/labels/record-hash.ts';
import { RequestRefused } from './request-refused.ts';
import type { LabelLine, NewLabel, RecordLabel, RunLabels } from '../../base/model/label.ts';
import { timestamp } from '../../base/system/system-time.ts';

/** The hashes of records by number: lines of a journal do not change. */
const hashes = new WeakMap<JournalIndex, Map<number, string>>();

/** The labels of a run that hold. One of an answer that the run no longer has is there without an index. */
export async function runLabels(run: RunDirectory, index: JournalIndex): Promise<Omit<RunLabels, 'by'>> {
  const { lines, unreadable } = readLabels(run.path);
  const current = currentLabels(lines);
  if (current.length > 0) await index.catchUp();
  const labels: RecordLabel[] = [];
  for (const label of current) {
    const number = index.latestOf(label.id);
    const isSame = number !== undefined && hashOf(run, index, number) === label.record;
    labels.push(isSame ? { ...label, index: number } : label);
  }
  return { labels, unreadable };
}

/** Writes what a person says about a record. Throws a RequestRefused if it is not the record that the person saw. */
export async function addLabel(
  run: RunDirectory,
  given: NewLabel,
  { index, by }: { readonly index: JournalIndex; readonly by: string },
): Promise<LabelLine> {
  await index.catchUp();
  const place = await index.placeOf(given.index);
  if (place === undefined) throw new RequestRefused(404, 'there is no such result');
  const line = readLineAt(run.journalPath, place);
  const record = parseRecord(line);
  if (record === undefined)
    throw new RequestRefused(
      409,
      'this record is damaged in the journal of its run, so it cannot be labelled',
    );
  if (
    record.id !== given.id ||
    record.started_at !== given.started_at ||
    index.latestOf(given.id) !== given.index
  )
    throw new RequestRefused(
      409,
      'this result has changed since the page showed it: reload the page and look again',
    );
  if (record.verdict === 'skipped')
    throw new RequestRefused(409, 'this test was skipped, so there is no answer to label');
  const label: LabelLine = {
    id: record.id,
    record: recordHash(line),
    label: given.label,
    ...(given.note === undefined || given.note.trim() === '' ? {} : { note: given.note }),
    by: given.by ?? by,
    at: timestamp(),
    ...(given.blind === true ? { blind: true } : {}),
  };
  try {
    appendLabel(run.path, label);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new RequestRefused(404, 'there is no such run: its folder has been deleted');
    throw new RequestRefused(409, `the label was not written: ${REASONS[code] ?? (code || String(error))}`);
  }
  return label;
}

/** Without the path: the page may be open on another machine. */
const REASONS: Readonly<Record<string, string>> = {
  ELOOP: 'the folder of this run, or its labels.jsonl, is a link',
  EISDIR: 'labels.jsonl of this run is a folder',
  EINVAL: 'labels.jsonl of this run is not a file',
  ENXIO: 'labels.jsonl of this run is not a file',
  EACCES: "the run's folder or its labels.jsonl cannot be written to",
  EPERM: "the run's folder or its labels.jsonl cannot be written to",
  EROFS: "the run's folder cannot be written to",
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
};

function hashOf(run: RunDirectory, index: JournalIndex, number: number): string | undefined {
  let known = hashes.get(index);
  if (known === undefined) hashes.set(index, (known = new Map<number, string>()));
  let hash = known.get(number);
  if (hash === undefined) {
    const place = index.knownPlace(number);
    if (place === undefined) return undefined;
    hash = recordHash(readLineAt(run.journalPath, place));
    known.set(number, hash);
  }
  return hash;
}
