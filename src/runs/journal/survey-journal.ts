import { readJournal } from './journal-reader.ts';

/** Facts about all records of a journal together. */
export interface JournalSurvey {
  readonly attempts: number;
  /** How many attempts of each file there are. */
  readonly attemptsByFile: ReadonlyMap<string, number>;
  /** The offsets of records that a later one replaces: a resumed run may have run the same attempt again. */
  readonly superseded: ReadonlySet<number>;
  /** A test ran more than once. */
  readonly hasRepeats: boolean;
}

/** A first pass over a journal, so that the second pass need not keep a place for each attempt. */
export function surveyJournal(journalPath: string): JournalSurvey {
  const offsets = new Map<string, number>();
  const attemptsByFile = new Map<string, number>();
  const superseded = new Set<number>();
  let hasRepeats = false;
  for (const { record, offset } of readJournal(journalPath)) {
    const { id, file, repeat } = record;
    const before = offsets.get(id);
    if (before === undefined) attemptsByFile.set(file, (attemptsByFile.get(file) ?? 0) + 1);
    else superseded.add(before);
    offsets.set(id, offset);
    hasRepeats ||= repeat !== 1;
  }
  return { attempts: offsets.size, attemptsByFile, superseded, hasRepeats };
}
