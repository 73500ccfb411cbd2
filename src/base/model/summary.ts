import {
  about,
  amount,
  closed,
  count,
  described,
  flag,
  list,
  named,
  oneOf,
  optional,
  share,
  text,
  type TypeOf,
} from './described.ts';
import { GATE_RESULT, TEST_GATE, type GateRules } from './gate.ts';
import { ERROR, VERDICT, type ErrorKind, type Verdict } from './record.ts';
import { OTHER_CALLS } from './other-calls.ts';
import { USAGE } from './reply.ts';
import { SKILL_TRIGGERS } from './skill-triggers.ts';
import { RUN_SELECTION } from './selection.ts';

/** A share with its 95% Wilson interval. Attempts that could not be measured, or were skipped, do not count. */
const PASS_RATE = named(
  'passRate',
  closed({
    passed: count(),
    measured: count(),
    rate: share(),
    low: share('The lower bound of the 95% Wilson interval; `high` is the upper one.'),
    high: share(),
    standard_error: optional(amount('Clustered by test; absent for fewer than two tests.')),
  }),
);
export type PassRate = TypeOf<typeof PASS_RATE>;

/** One target of a run that has several. */
const TARGET_SUMMARY = named(
  'target',
  closed({
    target: text(),
    tests: count(),
    attempts: count(),
    passed: count(),
    failed: count(),
    error: count(),
    skipped: count(),
    not_graded: optional(count()),
    flaky: count(),
    not_started: count('Attempts that were planned for it, but not started.'),
    pass_rate: optional(PASS_RATE),
    cost_usd: optional(amount('The cost that it reported; absent if it reported none.')),
    token_usage: optional(USAGE),
    attempts_without_cost: count('Attempts whose cost is unknown and not in the sum.'),
    duration_ms: amount('How long its attempts took, added up.'),
    skill_triggers: optional(SKILL_TRIGGERS),
  }),
);
export type TargetSummary = TypeOf<typeof TARGET_SUMMARY>;

/** A target that was not called any more, because nothing worked. */
const STOPPED_TARGET = named(
  'stoppedTarget',
  closed({
    target: text(),
    reason: oneOf(['same_error', 'key_refused', 'judge_key_refused']),
    error: ERROR,
    not_started: count('Attempts that were not started because of it.'),
  }),
);
export type StoppedTarget = TypeOf<typeof STOPPED_TARGET>;

/** A mean over the tests that were measured at least k times. */
const PASS_ESTIMATE = named(
  'estimate',
  closed({
    k: count(),
    value: share(),
    tests: count('Tests that were measured at least k times.'),
    standard_error: optional(amount('Absent for fewer than two tests.')),
  }),
);
export type PassEstimate = TypeOf<typeof PASS_ESTIMATE>;

/** A score that another tool gave, over the attempts that have it. */
const FOREIGN_SCORE = named(
  'foreignScore',
  closed({
    name: text(),
    attempts: count('That have this score.'),
    mean: optional(amount('Absent unless all of them are numbers.')),
    pass_rate: optional(about(PASS_RATE, 'Absent unless each of them says passed or failed.')),
    pass_hat_k: optional(list(PASS_ESTIMATE)),
  }),
);
export type ForeignScore = TypeOf<typeof FOREIGN_SCORE>;

/** The results of a run. `tests` counts test times target; `attempts` counts the repeats too. */
export const SUMMARY = named(
  'summary',
  closed({
    tests: count('Test times target.'),
    attempts: count('With the repeats.'),
    passed: count(),
    failed: count(),
    error: count('Tests that could not be measured.'),
    skipped: count(),
    not_graded: optional(count('Recordings that nothing has judged yet; absent if there are none.')),
    flaky: count('Tests that both passed and failed.'),
    undecided: count('Tests that were measured, but not enough to decide their gate.'),
    not_started: count('Attempts that were planned, but not started because the run stopped early.'),
    stopped_targets: optional(
      list(STOPPED_TARGET, 'Targets that were not called any more, and why. Absent if there are none.'),
    ),
    errors: described<Readonly<Partial<Record<ErrorKind, number>>>>(
      { type: 'object', additionalProperties: count().schema },
      'Attempts by the kind of their error.',
    ),
    pass_rate: optional(PASS_RATE),
    pass_at_k: list(
      PASS_ESTIMATE,
      'The probability that at least one of k attempts passes. Empty if the number of repeats depended on the results.',
    ),
    pass_hat_k: list(PASS_ESTIMATE, 'The probability that all of k attempts pass.'),
    foreign_scores: optional(
      list(FOREIGN_SCORE, 'What other tools said about imported attempts. It decides nothing.'),
    ),
    gates: list(GATE_RESULT),
    rules: described<GateRules>({ type: 'object' }, 'The settings of the gates.'),
    saved_attempts: optional(count('Attempts that adaptive repeats did not need.')),
    cost_usd: optional(amount('The cost that agents reported; absent if none did.')),
    token_usage: optional(USAGE),
    other_calls: optional(list(OTHER_CALLS, 'Calls for embeddings and images, which are in no other sum.')),
    judge_cost_usd: optional(amount('The additional cost of judges.')),
    judge_token_usage: optional(USAGE),
    attempts_without_cost: count(
      'Attempts whose cost, or that of their judges, is unknown and not in the sums.',
    ),
    duration_ms: amount(),
    interrupted: flag(),
    skill_triggers: optional(
      about(SKILL_TRIGGERS, 'Of a run with one target; otherwise each target has its own.'),
    ),
    targets: optional(
      list(TARGET_SUMMARY, 'Each target, if the run has several, in the order in which they were named.'),
    ),
    selection: optional(RUN_SELECTION),
  }),
);
export type Summary = TypeOf<typeof SUMMARY>;

/** How often there was each verdict. Summaries leave `not_graded` out where it is 0. */
export type VerdictNumbers = Readonly<
  Record<Exclude<Verdict, 'not_graded'>, number> & { not_graded?: number | undefined }
>;

/** One test of one target over its repeats. Exists only for tests that are repeated or have a gate. */
export const TEST_SUMMARY = named(
  'test',
  closed({
    file: text(),
    line: count(),
    test: text(),
    target: text(),
    verdict: VERDICT,
    attempts: count(),
    passed: count(),
    failed: count(),
    error: count(),
    skipped: count(),
    not_graded: optional(count()),
    not_started: count(),
    is_flaky: flag(),
    pass_rate: optional(PASS_RATE),
    gate: optional(TEST_GATE),
  }),
);
export type TestSummary = TypeOf<typeof TEST_SUMMARY>;

/** What a run wrote to cassettes. */
export interface RecordedCassettes {
  readonly folder: string;
  readonly files: number;
  readonly exchanges: number;
}
