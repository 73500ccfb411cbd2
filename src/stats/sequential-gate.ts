import type { PassCounts } from './pass-counts.ts';

export interface SequentialRule {
  /** The gate holds when the test passes with at least this probability: above 0, up to 1. */
  readonly share: number;
  /** The decision is wrong with a probability of at most 1 - confidence, however often one looks. */
  readonly confidence: number;
}

export type GateOutcome = 'held' | 'broken' | 'undecided';

/**
 * Decides whether a test passes often enough, from any number of attempts, looked at as often as one likes.
 *
 * Two bets run against the gate's edge p: one that the rate is above it, one that it is below. Each is a likelihood ratio
 * averaged evenly over all rates on its side, which no truth of the other side lets grow on average. By Ville's inequality
 * it then ever reaches 1 / (1 - confidence) with a probability of at most 1 - confidence; a bet that does reach it decides.
 */
export function decideGate(counts: PassCounts, { share, confidence }: SequentialRule): GateOutcome {
  const needed = 1 / (1 - confidence);
  if (evidenceBelow(counts, share) >= needed) return 'broken';
  return evidenceAbove(counts, share) >= needed ? 'held' : 'undecided';
}

/**
 * The fewest further results that could decide: that many attempts may be made at once, and none is ever made in vain. The
 * shortest ways are those on which all pass, or all fail. Looks no further than `limit`.
 */
export function fewestToDecide(
  { passed, measured }: PassCounts,
  rule: SequentialRule,
  limit: number,
): number {
  for (let more = 1; more < limit; more++) {
    const total = measured + more;
    if (decideGate({ passed: passed + more, measured: total }, rule) === 'held') return more;
    if (decideGate({ passed, measured: total }, rule) === 'broken') return more;
  }
  return limit;
}

/** How many passes in a row it takes to see that the gate holds; undefined when it takes more than `limit`. */
export function passesToHold(rule: SequentialRule, limit: number): number | undefined {
  for (let passed = 1; passed <= limit; passed++)
    if (decideGate({ passed, measured: passed }, rule) === 'held') return passed;
  return undefined;
}

/** That the rate is above p: `P(B(n + 1, p) <= c) / ((1 - p) (n + 1) P(B(n, p) = c))`, B binomial. */
export function evidenceAbove({ passed, measured }: PassCounts, p: number): number {
  // No rate is above 1: that a test always passes cannot be seen by watching it pass.
  if (p >= 1) return 0;
  const odds = (1 - p) / p;
  let term = ((1 - p) * (measured + 1)) / (measured + 1 - passed);
  let sum = term;
  for (let count = passed; count > 0; count--) {
    term *= (count / (measured + 2 - count)) * odds;
    sum += term;
  }
  return sum / ((1 - p) * (measured + 1));
}

/** That the rate is below p: `P(B(n + 1, p) > c) / (p (n + 1) P(B(n, p) = c))`. */
export function evidenceBelow({ passed, measured }: PassCounts, p: number): number {
  if (p >= 1) return passed < measured ? Infinity : 1 / (measured + 1);
  const odds = p / (1 - p);
  let term = (p * (measured + 1)) / (passed + 1);
  let sum = term;
  for (let count = passed + 1; count <= measured; count++) {
    term *= ((measured + 1 - count) / (count + 1)) * odds;
    sum += term;
  }
  return sum / (p * (measured + 1));
}
