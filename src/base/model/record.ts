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
import { APPROVALS_ASKED } from './approval.ts';
import { FINDING } from './finding.ts';
import type { Json, JsonObject } from './json.ts';
import type { Message } from './message.ts';
import type { PassAtLeast } from './pass-at-least.ts';
import { JUDGE_PROMPT } from './sent-request.ts';
import type { FaultAction } from './fault.ts';
import { OTHER_CALLS } from './other-calls.ts';
import {
  DOUBT,
  EVIDENCE_SOURCES,
  TIMED_CALL,
  TRACE_GAP,
  UNFINISHED,
  USAGE,
  type RecordedToolCall,
} from './reply.ts';
import type { RefusedStatus } from './refused-status.ts';
import { WORKSPACE } from './workspace.ts';

/** `not_graded`: it was recorded elsewhere, and nothing has judged it yet. It counts as passed nowhere. */
export const VERDICT = oneOf(['passed', 'failed', 'error', 'skipped', 'not_graded']);
export type Verdict = TypeOf<typeof VERDICT>;

/**
 * Why something could not be measured: the agent failed (`agent`), broke its contract (`contract`), took too long
 * (`timeout`), printed or returned too much (`limit`), could not be reached (`infrastructure`), or its target
 * cannot be used (`config`); a `judge` failed; an `assertion` could not be evaluated; the recorded replies answer
 * another question (`outdated`); a model call is not in its `cassette`; a `fault` of the test did not happen; the
 * `workspace` could not be prepared, or its policy cannot be enforced; the agent asked for an `approval` that nobody gave.
 */
const ERROR_KIND = oneOf([
  'agent',
  'contract',
  'timeout',
  'limit',
  'infrastructure',
  'config',
  'judge',
  'assertion',
  'outdated',
  'cassette',
  'fault',
  'workspace',
  'approval',
]);
export type ErrorKind = TypeOf<typeof ERROR_KIND>;

/** Exported for summaries: why a target was stopped. */
export const ERROR = named(
  'error',
  closed({
    kind: ERROR_KIND,
    message: text(),
    refused_status: optional(
      described<RefusedStatus>(
        { enum: [401, 403] },
        'The status with which the model API or the endpoint of the target, or the judge, refused the key.',
      ),
    ),
  }),
);
export type RecordedError = TypeOf<typeof ERROR>;

const JSON_VALUE = described<Json>({});
const OBJECT = described<JsonObject>({ type: 'object' });
const MESSAGES = list(described<Message>({ type: 'object' }));

const ASSERTION = named(
  'assertion',
  closed({
    form: oneOf(['claim', 'evaluator']),
    kind: text(),
    name: text(),
    weight: amount(),
    required: optional(described<boolean | number>({ type: ['boolean', 'number'] })),
    score: optional(share('Absent, like `passed`, if it could not be measured.')),
    passed: optional(flag()),
    expected: optional(JSON_VALUE),
    actual: optional(JSON_VALUE),
    message: text(),
    hits: optional(list(text())),
    misses: optional(list(text())),
    details: optional(JSON_VALUE),
    judge_calls: optional(count('Absent if no judge was called.')),
    judge_token_usage: optional(USAGE),
    judge_cost_usd: optional(amount()),
    judge_prompts: optional(
      list(
        JUDGE_PROMPT,
        'What the judge was asked. Absent if no judge was called, and in runs of older versions.',
      ),
    ),
    error: optional(ERROR),
    yields: optional(flag('Its error hides no failure: the test fails if the other evaluators fail.')),
    file: text(),
    line: count(),
    column: count(),
  }),
);
export type AssertionRecord = TypeOf<typeof ASSERTION>;

const STEP = named(
  'step',
  closed({
    line: count(),
    column: optional(count('Of the step, if it has an error.')),
    input: text(),
    input_messages: MESSAGES,
    output: optional(text()),
    tools_used: optional(list(text())),
    tool_calls: optional(list(described<RecordedToolCall>({ type: 'object' }))),
    trace_gap: optional(about(TRACE_GAP, 'Why the tool calls are unknown; absent if they are known.')),
    output_messages: optional(MESSAGES),
    memory_before: OBJECT,
    memory: optional(about(OBJECT, 'After the step.')),
    assertions: list(ASSERTION),
    error: optional(ERROR),
    printed: optional(text('What the agent printed in addition to its reply.')),
    unreported_calls: optional(
      list(
        described<RecordedToolCall>({ type: 'object' }),
        'Tool calls that were observed and that the agent did not report.',
      ),
    ),
    observed_calls: optional(
      list(
        described<RecordedToolCall>({ type: 'object' }),
        'All calls as they were observed, if the agent reports other arguments, or calls that the model never requested.',
      ),
    ),
    harmless: optional(
      list(text(), 'Programs and hosts that the agent used, and that the config declares harmless.'),
    ),
    approvals_asked: optional(APPROVALS_ASKED),
    unfinished: optional(UNFINISHED),
    doubts: optional(list(DOUBT, 'What the agent reports and what was observed contradict each other.')),
    evidence: optional(about(EVIDENCE_SOURCES, 'Where each kind of evidence came from.')),
    models: optional(list(text())),
    model_calls: optional(count()),
    other_calls: optional(
      list(
        OTHER_CALLS,
        'Observed calls of models that give no answers. Their tokens and cost are in no other field.',
      ),
    ),
    token_usage: optional(USAGE),
    usage_complete: optional(
      described<false>(
        { const: false },
        'A model call did not tell its usage: the figures are lower bounds.',
      ),
    ),
    cost_usd: optional(amount()),
    time_to_first_token_ms: optional(amount()),
    timeline: optional(
      list(TIMED_CALL, 'The model and tool calls in time. Absent where no model call was observed.'),
    ),
    duration_ms: optional(amount('Absent if an imported recording does not tell it.')),
  }),
);
export type StepRecord = TypeOf<typeof STEP>;

/** Everything about one finished attempt: one line of the journal. */
export const ATTEMPT = closed({
  id: text('`file::test::target::repeat`.'),
  file: text(),
  line: count(),
  column: count(),
  test: text(),
  row: optional(
    closed({ file: text(), line: count(), column: count() }, 'The data row of a test with `each`.'),
  ),
  has_vars: optional(flag('It has variables: its strings may be templates in the file.')),
  description: optional(text()),
  tags: list(text()),
  metadata: optional(about(OBJECT, 'The description of the test, as its author wrote it.')),
  target: text(),
  repeat: count(),
  pass_at_least: optional(
    described<PassAtLeast>({ type: ['number', 'string'] }, 'How often the test must pass.'),
  ),
  faults: optional(
    list(
      closed({ on: text(), call: count(), do: described<FaultAction>({}) }),
      'What went wrong on purpose.',
    ),
  ),
  fingerprint: text('Identifies what was tested and how: if it differs, the test has changed.'),
  agent_print: optional(text('Identifies the settings of the agent; only in runs that run what changed.')),
  agent_data: optional(
    text(
      'The entry of `inputs.json` with the files that the agent used; only in runs that run what changed.',
    ),
  ),
  check_data: optional(text('The same for scripts that grade.')),
  regraded: optional(
    flag('Its replies are those of an earlier attempt: only what is checked has changed since.'),
  ),
  verdict: VERDICT,
  score: optional(share('Absent if it could not be measured.')),
  threshold: optional(share('What the mean of the evaluators must reach; absent without evaluators.')),
  error: optional(ERROR),
  skip_reason: optional(text()),
  steps: list(STEP),
  assertions: list(ASSERTION, 'Judged on the whole transcript.'),
  workspace: optional(WORKSPACE),
  findings: optional(list(FINDING, 'Warnings that only this attempt could give.')),
  source: optional(
    closed(
      { format: text('`claude-code`, `codex`, `atif`, ...') },
      'Where it was imported from: Assay did not run it.',
    ),
  ),
  foreign_scores: optional(
    about(OBJECT, 'What other tools said about an imported attempt. They decide nothing.'),
  ),
  retries: count(),
  retries_token_usage: optional(about(USAGE, 'Of the tries before the last one, as far as it is known.')),
  retries_cost_usd: optional(amount('Of the same tries.')),
  token_usage: optional(USAGE),
  cost_usd: optional(amount()),
  judge_calls: optional(count('The number of judge calls for all assertions; absent if there were none.')),
  judge_token_usage: optional(about(USAGE, 'Absent if one of the calls does not report it.')),
  judge_cost_usd: optional(amount('By the judges of all assertions.')),
  started_at: text(),
  duration_ms: optional(amount('Absent if an imported recording does not tell it.')),
});
export type AttemptRecord = TypeOf<typeof ATTEMPT>;

/** A record without conversation and assertions: enough to list, count and compare. */
export type RecordOutline = Omit<AttemptRecord, 'steps' | 'assertions'>;
