import { NumberTable } from '../model/number-table.ts';
import { readJournal, type JournalEntry } from './journal-reader.ts';

type EntryRange = Pick<JournalEntry, 'offset' | 'length'>;

/** The places of records in their journal, by number. */
export class RecordPlaces {
  private readonly table = new NumberTable(2);

  add({ offset, length }: EntryRange): number {
    return this.table.add(offset, length);
  }

  get size(): number {
    return this.table.size;
  }

  replace(number: number, { offset, length }: EntryRange): void {
    this.table.set(number, 0, offset);
    this.table.set(number, 1, length);
  }

  at(number: number): EntryRange {
    return { offset: this.table.get(number, 0), length: this.table.get(number, 1) };
  }
}

export interface TestsOfJournal {
  readonly places: RecordPlaces;
  /**
   * By file and test, as the records name them: the number of the place of its attempt, or of all of them. A list
   * takes more memory than its only item.
   */
  readonly files: ReadonlyMap<string, Map<string, number | number[]>>;
}

/**
 * The last record of each attempt, test by test: a resumed run may have run one again. The records stay on the
 * disk.
 */
export function testsOfJournal(journalPath: string): TestsOfJournal {
  const places = new RecordPlaces();
  const files = new Map<string, Map<string, number | number[]>>();
  const attempts = new Map<string, number>();
  for (const { record, offset, length } of readJournal(journalPath)) {
    const { id, file, test } = record;
    const known = attempts.get(id);
    if (known !== undefined) {
      places.replace(known, { offset, length });
      continue;
    }
    const number = places.add({ offset, length });
    attempts.set(id, number);
    let tests = files.get(file);
    if (tests === undefined) files.set(file, (tests = new Map()));
    const before = tests.get(test);
    if (before === undefined) tests.set(test, number);
    else if (typeof before === 'number') tests.set(test, [before, number]);
    else before.push(number);
  }
  return { places, files };
}
