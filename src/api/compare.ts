import { compareRuns, type CompareOptions } from '../compare/compare-runs.ts';
import type { RunDirectory } from '../journal/run-directory.ts';
import type { Comparison } from '../model/comparison.ts';
import { openSide, readRun } from './compared-side.ts';
import { DEFAULT_ALPHA } from './run-baseline.ts';

export interface NamedSides {
  /** Runs or baseline files, as people name them. */
  readonly before: string;
  readonly after: string;
  readonly projectRoot: string;
}

export interface ComparedNames {
  readonly comparison: Comparison;
  /** Runs that did not end, or still go on: what they recorded so far was compared. */
  readonly unfinished: readonly string[];
}

/** Compares two runs, or a run with a baseline. Throws NotComparable for what is not there. */
export function compareNamed(sides: NamedSides, options: CompareOptions): ComparedNames {
  const before = openSide(sides.before, sides.projectRoot);
  const after = openSide(sides.after, sides.projectRoot);
  const runs = [before.directory, after.directory].filter((run): run is RunDirectory => run !== undefined);
  return {
    comparison: compareRuns(before.side, after.side, options),
    unfinished: runs.filter((run) => run.ending() === undefined).map(({ runId }) => runId),
  };
}

/** The same for two runs that were found already. */
export function compareDirectories(before: RunDirectory, after: RunDirectory): Comparison {
  return compareRuns(readRun(before), readRun(after), { rule: 'regression', alpha: DEFAULT_ALPHA });
}
