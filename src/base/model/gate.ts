import { amount, closed, described, oneOf, optional, text, type TypeOf } from './described.ts';
import type { PassAtLeast } from './pass-at-least.ts';

/** `undecided`: there is not enough data. This is not a pass. */
const OUTCOME = oneOf(['held', 'broken', 'undecided']);
export type GateOutcome = TypeOf<typeof OUTCOME>;

/** The gates of a run, besides those of its tests. */
export interface GateRules {
  /** The share of measured attempts that must pass. */
  readonly min_pass_rate?: number | undefined;
  /** How many tests may be flaky; below 1, the share of those that were measured more than once. */
  readonly max_flaky?: number | undefined;
  /** The share of planned attempts that must be measured for a gate to be decided. */
  readonly min_coverage: number;
  /** `--repeats auto`: tests are repeated until their gate is decided. */
  readonly adaptive?: AdaptiveRules | undefined;
}

export interface AdaptiveRules {
  /** A test's gate is decided wrongly with a probability of at most 1 - confidence. */
  readonly confidence: number;
  /** No test is repeated more often. */
  readonly max_repeats: number;
  /** What tests without `pass_at_least` must meet. */
  readonly pass_at_least: number;
}

export const DEFAULT_MIN_COVERAGE = 0.9;
export const DEFAULT_GATE_RULES: GateRules = { min_coverage: DEFAULT_MIN_COVERAGE };
export const DEFAULT_CONFIDENCE = 0.95;
export const DEFAULT_MAX_REPEATS = 50;
/**
 * Adaptive repeats compute their boundaries for the highest allowed number: up to here that takes a fraction of a
 * second.
 */
export const MOST_REPEATS = 10_000;
/** The default requirement with adaptive repeats: sampling cannot show that a test passes every time. */
export const DEFAULT_ADAPTIVE_SHARE = 0.8;

/** One gate of a run and its outcome. */
export const GATE_RESULT = closed({
  gate: oneOf(
    ['min_pass_rate', 'max_flaky', 'pass_at_least', 'max_cost'],
    '`pass_at_least` covers the gates of all tests: how many tests have one, and how many of them passed.',
  ),
  target: optional(text('The target whose attempts decide it, if the run has several.')),
  wanted: amount(),
  actual: optional(amount('Absent when there is no data at all.')),
  outcome: OUTCOME,
  message: text('For people, in a sentence.'),
});
export type GateResult = TypeOf<typeof GATE_RESULT>;

/** The gate of one test. */
export const TEST_GATE = closed({
  pass_at_least: described<PassAtLeast>({ type: ['number', 'string'] }, 'How often the test must pass.'),
  outcome: OUTCOME,
  message: text('For people, in a sentence.'),
});
export type TestGate = TypeOf<typeof TEST_GATE>;
