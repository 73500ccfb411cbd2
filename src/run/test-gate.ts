import type { GateRules, TestGate } from '../model/gate.ts';
import { readPassAtLeast, type PassAtLeast } from '../model/pass-at-least.ts';
import { formatPercent } from '../model/percent.ts';
import { decideGate, type GateOutcome } from '../stats/sequential-gate.ts';
import { isCovered } from './coverage.ts';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  /** Planned, but not made. */
  readonly notStarted: number;
  /** What the test says itself. */
  readonly passAtLeast?: PassAtLeast | undefined;
}

/** The gate of one test; undefined when it has none: then every repeat must pass. */
export function testGate(counts: TestCounts, { adaptive, min_coverage }: GateRules): TestGate | undefined {
  const pass_at_least = counts.passAtLeast ?? adaptive?.pass_at_least;
  if (pass_at_least === undefined) return undefined;
  const { passed, failed, error, notStarted } = counts;
  const { share } = readPassAtLeast(pass_at_least)!;
  const measured = passed + failed;
  // How many repeats there will be is not known beforehand when they follow the results.
  const planned = measured + error + (adaptive === undefined ? notStarted : 0);
  if (measured === 0 || !isCovered({ measured, planned }, min_coverage)) {
    const message =
      planned === 0 ? 'no attempt was started' : `only ${measured} of ${planned} attempts were measured`;
    return { pass_at_least, outcome: 'undecided', message };
  }
  if (adaptive !== undefined) {
    const outcome = decideGate({ passed, measured }, { share, confidence: adaptive.confidence });
    const sure = formatPercent(adaptive.confidence);
    return {
      pass_at_least,
      outcome,
      message: `passed ${passed} of ${measured}: ${WORDS[outcome](share, sure)}`,
    };
  }
  return {
    pass_at_least,
    outcome: passed / measured >= share ? 'held' : 'broken',
    message: `passed ${passed} of ${measured}, ${typeof pass_at_least === 'number' ? formatPercent(share) : pass_at_least} wanted`,
  };
}

const WORDS: Readonly<Record<GateOutcome, (share: number, confidence: string) => string>> = {
  held: (share, confidence) => `${formatPercent(share)} or more of the time (${confidence} sure)`,
  broken: (share, confidence) => `less than ${formatPercent(share)} of the time (${confidence} sure)`,
  undecided: (share) => `not enough to tell whether it passes ${formatPercent(share)} of the time`,
};
