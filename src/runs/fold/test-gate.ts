import type { GateRules, TestGate } from '../../base/model/gate.ts';
import { readPassAtLeast, type PassAtLeast } from '../../base/model/pass-at-least.ts';
import { formatPercent } from '../../base/model/percent.ts';
import {
  decideGate,
  isBeyondDecision,
  leastCapToHold,
  type SequentialRule,
} from '../../base/stats/sequential-gate.ts';
import type { PassCounts } from '../../base/stats/pass-counts.ts';
import { isCovered } from './coverage.ts';

export interface VerdictCounts {
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  /** Planned, but not run. */
  readonly notStarted: number;
  /** The test's own settings. */
  readonly passAtLeast?: PassAtLeast | undefined;
}

/** The gate of one test; undefined if it has none: then every repeat must pass. */
export function testGate(counts: VerdictCounts, { adaptive, min_coverage }: GateRules): TestGate | undefined {
  const pass_at_least = counts.passAtLeast ?? adaptive?.pass_at_least;
  const share = pass_at_least === undefined ? undefined : readPassAtLeast(pass_at_least)?.share;
  // A record from elsewhere may have a gate that cannot be read: then every repeat must pass.
  if (pass_at_least === undefined || share === undefined) return undefined;
  const { passed, failed, error, notStarted } = counts;
  const measured = passed + failed;
  // With adaptive repeats, the number of repeats is not known beforehand.
  const planned = measured + error + (adaptive === undefined ? notStarted : 0);
  if (measured === 0 || !isCovered({ measured, planned }, min_coverage)) {
    const message =
      planned === 0 ? 'no attempt was started' : `only ${measured} of ${planned} attempts were measured`;
    return { pass_at_least, outcome: 'undecided', message };
  }
  if (adaptive !== undefined) {
    const rule = { share, confidence: adaptive.confidence, cap: adaptive.max_repeats };
    return { pass_at_least, ...adaptiveOutcome({ passed, measured }, rule) };
  }
  return {
    pass_at_least,
    outcome: passed / measured >= share ? 'held' : 'broken',
    message: `passed ${passed} of ${measured}, ${typeof pass_at_least === 'number' ? formatPercent(share) : pass_at_least} required`,
  };
}

function adaptiveOutcome(counts: PassCounts, rule: SequentialRule): Pick<TestGate, 'outcome' | 'message'> {
  const outcome = decideGate(counts, rule);
  const [share, sure] = [formatPercent(rule.share), formatPercent(rule.confidence)];
  const words = {
    held: `${share} or more of the time (${sure} sure)`,
    broken: `less than ${share} of the time (${sure} sure)`,
    undecided: whyUndecided(counts, rule),
  };
  return { outcome, message: `passed ${counts.passed} of ${counts.measured}: ${words[outcome]}` };
}

function whyUndecided(counts: PassCounts, rule: SequentialRule): string {
  const share = formatPercent(rule.share);
  const needed = leastCapToHold(rule);
  if (needed === undefined) return 'no number of attempts can show that it always passes';
  if (needed > rule.cap) return `it takes ${needed} attempts to see that it passes ${share} of the time`;
  return isBeyondDecision(counts, rule)
    ? `too close to ${share} to tell in ${rule.cap} attempts`
    : `not enough to tell whether it passes ${share} of the time`;
}
