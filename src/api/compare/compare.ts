import { sideOfTarget } from '../../runs/compare/compare-targets.ts';
import { compareRuns, describeSide, type CompareOptions } from '../../runs/compare/compare-runs.ts';
import type { RunSide } from '../../runs/compare/run-side.ts';
import { testPairs } from '../../runs/compare/test-pairs.ts';
import { didYouMean } from '../../base/schema/did-you-mean.ts';
import { readCheckedOutlines } from '../../runs/journal/check-run.ts';
import type { RunDirectory } from '../../runs/journal/run-directory.ts';
import type { Comparison, ListedComparison } from '../../base/model/comparison.ts';
import { NotComparable, openSide, readRun, type OpenedSide } from '../baseline/compared-side.ts';
import type { RunExtent } from '../baseline/comparison-exit.ts';
import { DEFAULT_ALPHA } from '../baseline/run-baseline.ts';
import { whyUnfinished } from '../recorded/why-unfinished.ts';

export interface NamedSides {
  /** Runs or baseline files, as people name them. */
  readonly before: string;
  readonly after: string;
  readonly projectRoot: string;
  /** Only the results of these targets: one for both sides, or one for each. */
  readonly targets?: readonly string[] | undefined;
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
  const { targets = [] } = sides;
  const before = ofTarget(openSide(sides.before, sides.projectRoot), targets[0]);
  const after = ofTarget(openSide(sides.after, sides.projectRoot), targets.at(-1));
  const runs = [before.directory, after.directory].filter((run): run is RunDirectory => run !== undefined);
  return {
    comparison: compareRuns(before.side, after.side, options),
    extent: after.directory === undefined ? WHOLE : after.directory.ending()?.summary,
    unfinished: runs.flatMap((run) => whyUnfinished(run) ?? []),
  };
}

function ofTarget(opened: OpenedSide, target: string | undefined): OpenedSide {
  if (target === undefined) return opened;
  const { targets, run_id } = describeSide(opened.side);
  if (targets.includes(target)) return { ...opened, side: sideOfTarget(opened.side, target) };
  const hint = didYouMean(target, targets) ?? `use ${targets.join(', ')}`;
  throw new NotComparable(`${run_id} has no results of the target "${target}"\n  hint: ${hint}`);
}

const WHOLE: RunExtent = { interrupted: false, not_started: 0 };

/** The same for two runs that were found already, with all their tests. */
export function compareDirectories(before: RunDirectory, after: RunDirectory): ListedComparison {
  const [one, other] = [before, after].map((run) => readRun(run, readCheckedOutlines(run))) as [
    RunSide,
    RunSide,
  ];
  const comparison = compareRuns(one, other, { rule: 'regression', alpha: DEFAULT_ALPHA });
  return { ...comparison, test_pairs: testPairs(one, other, comparison.changes) };
}
