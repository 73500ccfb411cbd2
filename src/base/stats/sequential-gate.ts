import { crossingTimes } from './crossing-times.ts';
import type { PassCounts } from './pass-counts.ts';

export interface SequentialRule {
  /** The gate holds if the test passes with at least this probability: above 0, up to 1. */
  readonly share: number;
  /** Each of the two wrong decisions has a probability of at most 1 - confidence. */
  readonly confidence: number;
  /** The most attempts; the rule may be checked after each of them. */
  readonly cap: number;
}

export type GateOutcome = 'held' | 'broken' | 'undecided';

/**
 * Decides whether a test passes often enough, after any attempt up to the cap.
 *
 * Few failures hold the gate, few passes break it, each from its own attempt on. Both boundaries are computed for
 * the cap, at the edge of the gate: a rate no higher than the gate ever crosses into `held` with a probability of
 * at most 1 - confidence, and one no lower crosses into `broken` as rarely.
 */
export function decideGate({ passed, measured }: PassCounts, rule: SequentialRule): GateOutcome {
  const { holdAt, breakAt } = boundariesFor(rule, measured);
  if (measured >= (breakAt[passed] ?? Infinity)) return 'broken';
  return measured >= (holdAt[measured - passed] ?? Infinity) ? 'held' : 'undecided';
}

/**
 * Whether no further results up to the cap could decide: there are too many failures to hold, and too many passes
 * to break.
 */
export function isBeyondDecision({ passed, measured }: PassCounts, rule: SequentialRule): boolean {
  const { holdAt, breakAt } = boundariesFor(rule, measured);
  return measured - passed >= holdAt.length && passed >= breakAt.length;
}

/**
 * The fewest further results that could end an undecided test: by a decision, or because none is possible any more.
 * That many attempts can run at once, and none of them is wasted. The shortest ways to a decision are those where
 * all pass, or all fail.
 */
export function fewestToEnd({ passed, measured }: PassCounts, rule: SequentialRule): number {
  const { holdAt, breakAt } = boundariesFor(rule, measured);
  const failed = measured - passed;
  const toHold = (holdAt[failed] ?? Infinity) - measured;
  const toBreak = (breakAt[passed] ?? Infinity) - measured;
  const toNowhere = Math.max(0, holdAt.length - failed) + Math.max(0, breakAt.length - passed);
  return Math.max(1, Math.min(toHold, toBreak, toNowhere));
}

/** How many attempts must be allowed for the gate to hold if all of them pass; undefined if no number is enough. */
export function leastCapToHold({
  share,
  confidence,
}: Pick<SequentialRule, 'share' | 'confidence'>): number | undefined {
  // No rate is above 1: watching a test pass cannot prove that it always passes.
  return share >= 1 ? undefined : Math.max(1, Math.ceil(Math.log(1 - confidence) / Math.log(share) - 1e-9));
}

interface Boundaries {
  /** By failures: the attempt from which on so many are few enough to hold the gate. */
  readonly holdAt: readonly number[];
  /** By passes: the attempt from which on so many are few enough to break it. */
  readonly breakAt: readonly number[];
}

const known = new Map<string, Boundaries>();

/**
 * Computed once for each rule. Earlier records may contain more attempts than are allowed now: then their number is
 * the cap.
 */
function boundariesFor({ share, confidence, cap: allowed }: SequentialRule, measured: number): Boundaries {
  const cap = Math.max(allowed, measured);
  const key = `${share} ${confidence} ${cap}`;
  let boundaries = known.get(key);
  if (boundaries === undefined) {
    const error = 1 - confidence;
    boundaries = {
      holdAt: crossingTimes({ rate: share, cap, error }),
      breakAt: crossingTimes({ rate: 1 - share, cap, error }),
    };
    known.set(key, boundaries);
  }
  return boundaries;
}
