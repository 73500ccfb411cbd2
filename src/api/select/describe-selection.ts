import type { ShardDescription } from '../../runs/journal/run-directory.ts';
import type { OpenSuite } from '../../suites/load/open-suites.ts';
import type { RerunCounts, RunSelection } from '../../base/model/selection.ts';
import type { PlanOutline } from '../../run/plan/plan-outline.ts';
import { filterTexts } from './selection-text.ts';
import type { RunOptions } from '../basics/run-options.ts';

interface Selected {
  readonly suites: readonly OpenSuite[];
  readonly outline: PlanOutline;
  readonly shard?: ShardDescription | undefined;
  readonly rerun?: RerunCounts | undefined;
}

/** What a run leaves out of its files; undefined if it leaves nothing out and has no filter. */
export function describeSelection(
  options: RunOptions,
  { suites, outline, shard, rerun }: Selected,
): RunSelection | undefined {
  const { leftOut, files } = outline;
  const filters = filterTexts(options);
  if (filters.length === 0 && leftOut.only === 0 && shard === undefined && rerun === undefined)
    return undefined;
  return {
    tests_in_files: suites.reduce((sum, { testCount }) => sum + testCount, 0),
    selected: [...files.values()].reduce((sum, { tests }) => sum + tests, 0),
    left_out: leftOut,
    filters,
    last_failed: rerun,
    shard: shard === undefined ? undefined : partOf(shard),
  };
}

function partOf({ index, total, attempts, plan_attempts }: ShardDescription) {
  return { index, total, attempts, plan_attempts };
}
