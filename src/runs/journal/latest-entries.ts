import { readJournal, type JournalEntry } from './journal-reader.ts';

/** The place of an attempt's record, and enough of the record to identify it. */
export interface EntryPlace extends Pick<JournalEntry, 'offset' | 'length' | 'isSealed'> {
  readonly id: string;
  readonly file: string;
  readonly test: string;
  readonly fingerprint: string;
  readonly isBad: boolean;
}

/** The last record of each attempt, by id: a resumed run may have run one again. The records stay on the disk. */
export function latestEntries(journalPath: string): ReadonlyMap<string, EntryPlace> {
  const entries = new Map<string, EntryPlace>();
  for (const { record, offset, length, isSealed } of readJournal(journalPath)) {
    const { id, file, test, fingerprint, verdict } = record;
    entries.set(id, {
      id,
      file,
      test,
      fingerprint,
      isBad: verdict === 'failed' || verdict === 'error',
      offset,
      length,
      isSealed,
    });
  }
  return entries;
}
