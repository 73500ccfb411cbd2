import { join, relative } from 'node:path';
import { latestEntries } from './latest-entries.ts';
import { listRuns } from './run-directory.ts';

/** What did not pass in the latest run. */
export interface LastFailed {
  readonly runId: string;
  /** Whether it got to its end: otherwise more may fail. */
  readonly hasEnded: boolean;
  /** Named `file::test`, with files as they are called in this folder. */
  readonly tests: ReadonlySet<string>;
}

/** Undefined when there is no run. */
export function findLastFailed(projectRoot: string, cwd: string): LastFailed | undefined {
  for (const run of listRuns(projectRoot).toReversed()) {
    const entries = [...latestEntries(run.journalPath).values()];
    // A run in which nothing ran says nothing about what failed.
    if (entries.length === 0) continue;
    const folder = join(projectRoot, run.description()?.cwd ?? '');
    const failed = entries.filter(({ isBad }) => isBad);
    return {
      runId: run.runId,
      hasEnded: run.ending()?.summary.interrupted === false,
      tests: new Set(failed.map(({ file, test }) => `${relative(cwd, join(folder, file))}::${test}`)),
    };
  }
  return undefined;
}
