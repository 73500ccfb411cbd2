import { latestEntries } from './latest-entries.ts';
import { listRuns } from './run-directory.ts';

/** The tests of the latest run that did not pass, named `file::test`; undefined when there is no run. */
export function lastFailedTests(projectRoot: string): ReadonlySet<string> | undefined {
  for (const run of listRuns(projectRoot).toReversed()) {
    const entries = [...latestEntries(run.journalPath).values()];
    // A run in which nothing ran says nothing about what failed.
    if (entries.length === 0) continue;
    return new Set(entries.filter(({ isBad }) => isBad).map(({ file, test }) => `${file}::${test}`));
  }
  return undefined;
}
