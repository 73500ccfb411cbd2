import { RunFold } from '../fold/run-fold.ts';
import { meanDuration } from '../fold/test-result.ts';
import { testKey } from '../../base/model/test-key.ts';
import { readOutlines } from './read-outlines.ts';
import type { RunDirectory } from './run-directory.ts';

/** How long each test of a run took on average, in milliseconds, by `file::test::target`. */
export function recordedDurations(run: RunDirectory): ReadonlyMap<string, number> {
  const fold = new RunFold();
  for (const outline of readOutlines(run.journalPath)) {
    const { repeat, verdict, duration_ms } = outline;
    fold.add(outline, { repeat, verdict, duration_ms });
  }
  return new Map(
    fold.tests.flatMap((test): readonly [string, number][] => {
      const mean = meanDuration(test);
      return mean === undefined ? [] : [[testKey(test), mean]];
    }),
  );
}
