import { readJournal, type JournalEntry } from './journal-reader.ts';

type EntryRange = Pick<JournalEntry, 'offset' | 'length'>;

/** The places of records in their journal, by number. */
export class RecordPlaces {
  private readonly offsets: number[] = [];
  private readonly lengths: number[] = [];

  add({ offset, length }: EntryRange): number {
    this.offsets.push(offset);
    return this.lengths.push(length) - 1;
  }

  get size(): number {
    return this.offsets.length;
  }

  replace(number: number, { offset, length }: EntryRange): void {
    this.offsets[number] = offset;
    this.lengths[number] = length;
  }

  at(number: number): EntryRange {
    return { offset: this.offsets[number]!, length: this.lengths[number]! };
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
