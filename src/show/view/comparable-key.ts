import { createHash } from 'node:crypto';
import type { RunEnding } from '../../runs/journal/run-directory.ts';
import { DEFAULT_MIN_COVERAGE } from '../../base/model/gate.ts';
import { isCovered } from '../../runs/fold/coverage.ts';
import type { RunTotals, TargetTotals } from './run-totals.ts';
import type { RunFacts } from './run-row.ts';

export interface ComparableKeys {
  /** Of the whole run. */
  readonly run?: string | undefined;
  /** Of one target in it. */
  ofTarget(totals: TargetTotals): string | undefined;
}

/**
 * The one definition of runs whose numbers may stand beside each other: the same files by the same targets, run
 * completely, to the end, and measured well enough. Equal keys mean comparable; a run without a key is comparable
 * with none.
 */
export function comparableKeys(
  facts: RunFacts,
  totals: RunTotals | undefined,
  damage: readonly string[],
): ComparableKeys {
  if (totals === undefined || damage.length > 0 || !isWhole(facts)) return NO_KEYS;
  const files = [...new Set(facts.description.files.map(({ file }) => file))].sort();
  const minCoverage = facts.ending?.summary.rules?.min_coverage ?? DEFAULT_MIN_COVERAGE;
  const keyOf = (measures: Measures, ...names: readonly unknown[]): string | undefined =>
    isMeasured(measures, minCoverage) ? hashOf([files, ...names]) : undefined;
  return {
    run: keyOf(totals, totals.by_target.map(nameOf).sort()),
    ofTarget: (target) => keyOf(target, nameOf(target)),
  };
}

const NO_KEYS: ComparableKeys = { ofTarget: () => undefined };

/** A target of a few tests does not get comparable when `--target` gives it all of them. */
function nameOf({ target, has_every_test }: TargetTotals): string {
  return `${has_every_test ? 'all' : 'some'} ${target}`;
}

/** It ran every test of its files, and nothing stopped it. */
function isWhole({ description: { selection, shard }, ending }: RunFacts): boolean {
  if (ending === undefined || shard !== undefined || !hasEnded(ending)) return false;
  if (selection === undefined) return true;
  // A manually edited run.json may contain anything.
  const { filters = 1, only = 1, passed = 1 } = selection.left_out ?? {};
  return filters + only + passed === 0 && selection.shard === undefined;
}

/** With exit code 2, something could not be run at all. */
function hasEnded({ exit_code, summary: { interrupted, not_started } }: RunEnding): boolean {
  return !interrupted && not_started === 0 && exit_code !== 2;
}

type Measures = Pick<RunTotals, 'attempts' | 'skipped_attempts' | 'measured_attempts'>;

function isMeasured(
  { attempts, skipped_attempts, measured_attempts: measured }: Measures,
  minCoverage: number,
): boolean {
  return measured > 0 && isCovered({ measured, planned: attempts - skipped_attempts }, minCoverage);
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}
