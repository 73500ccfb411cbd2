import { compareRuns, type CompareOptions } from '../../compare/compare-runs.ts';
import type { RunRows } from '../../compare/run-rows.ts';
import { testPairs } from '../../compare/test-pairs.ts';
import { readCheckedOutlines } from '../../journal/check-run.ts';
import type { RunDirectory } from '../../journal/run-directory.ts';
import type { Comparison, ListedComparison } from '../../model/comparison.ts';
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

/** The same for two runs that were found already, with all their tests. */
export function compareDirectories(before: RunDirectory, after: RunDirectory): ListedComparison {
  const [one, other] = [before, after].map((run) => readRun(run, readCheckedOutlines(run))) as [
    RunRows,
    RunRows,
  ];
  const comparison = compareRuns(one, other, { rule: 'regression', alpha: DEFAULT_ALPHA });
  return { ...comparison, test_pairs: testPairs(one, other, comparison.changes) };
}
