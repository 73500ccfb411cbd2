import { relative, resolve } from 'node:path';
import { RunFold } from '../fold/run-fold.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { readJournal } from './journal-reader.ts';
import { readOutlines } from './read-outlines.ts';
import type { RunDirectory } from './run-directory.ts';

interface SoughtTests {
  /** The project's root. */
  readonly root: string;
  readonly file: string;
  readonly ids: ReadonlySet<string>;
}

/**
 * The newest record of each attempt of some tests of a file. The first repeats of all targets come first: some readers
 * show only a few. File names in records are relative to the folder in which the run was started. A run that is damaged
 * or being removed has none.
 */
export function recordsOfTests(
  run: RunDirectory,
  { root, file, ids }: SoughtTests,
): readonly AttemptRecord[] {
  try {
    const folder = resolve(root, run.description()?.cwd ?? '');
    const isWanted = (record: { readonly file: string; readonly test: string }): boolean =>
      ids.has(record.test) && relative(resolve(folder, record.file), file) === '';
    // Outlines are read without the rest of their records, which may be large.
    if (![...readOutlines(run.journalPath)].some(isWanted)) return [];
    const fold = new RunFold<AttemptRecord>();
    for (const { record } of readJournal(run.journalPath)) if (isWanted(record)) fold.add(record, record);
    return fold.tests.flatMap(({ attempts }) => attempts).sort((a, b) => a.repeat - b.repeat);
  } catch {
    return [];
  }
}
