import { listRuns, type RunDirectory } from '../../journal/run-directory.ts';
import { selectionOf } from '../select/selection-text.ts';

/** A test that was gone for a while, as a line that is cut and pasted is, is in one of them. */
const MOST_RUNS = 5;

/** The latest runs that know what they were made with, and selected their tests in this way; the latest one first. */
export function findSourceRuns(projectRoot: string, selection: string): readonly RunDirectory[] {
  const found: RunDirectory[] = [];
  for (const run of listRuns(projectRoot).toReversed()) {
    const description = run.description();
    if (description?.options['changed'] === true && selectionOf(description) === selection) found.push(run);
    if (found.length === MOST_RUNS) break;
  }
  return found;
}
