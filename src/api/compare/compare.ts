import { compareRuns, type ComparedSide, type CompareOptions } from '../../compare/compare-runs.ts';
import { readCheckedOutlines } from '../../journal/check-run.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import type { Comparison } from '../../model/comparison.ts';
import { openSide, readRun } from '../baseline/compared-side.ts';
import type { RunExtent } from '../baseline/comparison-exit.ts';
import { DEFAULT_ALPHA } from '../baseline/run-baseline.ts';
import { whyUnfinished } from '../recorded/why-unfinished.ts';

export interface NamedSides {
  /** Runs or baseline files, as people name them. */
  readonly before: string;
  readonly after: string;
  readonly projectRoot: string;
}

export interface ComparedNames {
  readonly comparison: Comparison;
  /** For the second run; a baseline file is always complete. */
  readonly extent: RunExtent;
  /** Incomplete runs and the reason, for people: their records were compared. */
  readonly unfinished: readonly string[];
}

/**
 * Compares two runs, or a run with a baseline. Throws NotComparable for something missing, DamagedRun for something
 * damaged.
 */
export function compareNamed(sides: NamedSides, options: CompareOptions): ComparedNames {
  const before = openSide(sides.before, sides.projectRoot);
  const after = openSide(sides.after, sides.projectRoot);
  const runs = [before.directory, after.directory].filter((run): run is RunDirectory => run !== undefined);
  return {
    comparison: compareRuns(before.side, after.side, options),
    extent: after.directory === undefined ? WHOLE : after.directory.ending()?.summary,
    unfinished: runs.flatMap((run) => whyUnfinished(run) ?? []),
  };
}

const WHOLE: RunExtent = { interrupted: false, not_started: 0 };

/** The same for two runs that were found already. */
export function compareDirectories(before: RunDirectory, after: RunDirectory): Comparison {
  const read = (run: RunDirectory): ComparedSide => readRun(run, readCheckedOutlines(run));
  return compareRuns(read(before), read(after), { rule: 'regression', alpha: DEFAULT_ALPHA });
}
