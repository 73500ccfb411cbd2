import { latestEntries } from './latest-entries.ts';
import { findRun } from './run-directory.ts';

/** The tests of the latest run that did not pass, named `file::test`; undefined when there is no run. */
export function lastFailedTests(projectRoot: string): ReadonlySet<string> | undefined {
  const latest = findRun(projectRoot, 'latest');
  if (latest === undefined) return undefined;
  const bad = [...latestEntries(latest.journalPath).values()].filter(({ isBad }) => isBad);
  return new Set(bad.map(({ file, test }) => `${file}::${test}`));
}
