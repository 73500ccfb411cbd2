import { listRuns, type RunDirectory } from '../../runs/journal/run-directory.ts';
import { selectionOf } from '../select/selection-text.ts';

/** A test that was gone for a while, or left out by a filter, is in one of them. */
const MOST_RUNS = 10;

export interface SourceRuns {
  /** The latest runs that know what they were made with, the latest one first. */
  readonly sources: readonly RunDirectory[];
  /** The latest of them that selected its tests in the same way: it may go on. */
  readonly continued: RunDirectory | undefined;
  /** The latest runs of another kind, the latest one first: what their attempts cost is known, and nothing else counts. */
  readonly others: readonly RunDirectory[];
}

export function findSourceRuns(projectRoot: string, selection: string): SourceRuns {
  const sources: RunDirectory[] = [];
  const others: RunDirectory[] = [];
  let continued: RunDirectory | undefined;
  for (const run of listRuns(projectRoot).toReversed()) {
    const description = run.description();
    if (description === undefined) continue;
    if (description.options['changed'] !== true) {
      if (others.length < MOST_RUNS) others.push(run);
      continue;
    }
    const isContinued = continued === undefined && selectionOf(description) === selection;
    if (isContinued) continued = run;
    // Runs with other filters must not push out the one that selected the same tests.
    if (isContinued || sources.length < MOST_RUNS) sources.push(run);
    if (sources.length >= MOST_RUNS && continued !== undefined) break;
  }
  return { sources, continued, others };
}
