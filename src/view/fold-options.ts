import type { RunDirectory } from '../journal/run-directory.ts';
import { rulesOfRun } from '../journal/run-rules.ts';
import type { FoldOptions } from './run-fold.ts';

/** What decides the verdicts of a run's tests, besides its records. */
export function foldOptionsOf(run: RunDirectory): FoldOptions {
  return { rules: rulesOfRun(run), unfinished: run.ending()?.tests };
}
