import { recordJsonSchema } from '../journal/record-schema.ts';
import type { GateResult } from '../model/gate.ts';
import type { LeftOut, RerunCounts, RunSelection, ShardSelection } from '../model/selection.ts';
import type { PassEstimate, PassRate, Summary, TestSummary } from '../model/summary.ts';
import type { JsonSchema } from '../schema/schema.ts';

/** JSON Schema of what the reporter `json` writes. */
export function reportJsonSchema(): JsonSchema {
  const { $schema, title: _title, definitions, ...record } = recordJsonSchema();
  return {
    $schema,
    title: "The report of Assay's JSON reporter",
    type: 'object',
    properties: {
      run_id: {
        type: 'string',
        description: "The name of the run's folder; empty when it was not recorded.",
      },
      results: { type: 'array', items: { $ref: '#/definitions/record' } },
      findings: {
        type: 'array',
        items: { $ref: '#/definitions/finding' },
        description: 'Of the files, of the run, and of its attempts.',
      },
      tests: {
        type: 'array',
        items: { $ref: '#/definitions/test' },
        description: 'The tests that are repeated or have a gate.',
      },
      summary: { $ref: '#/definitions/summary' },
      comparison: {
        type: 'object',
        description:
          'With the baseline, or with the run that was graded again; docs/comparing.md describes it.',
      },
      exit_code: { enum: [0, 1, 2, 3, 130] },
    },
    required: ['run_id', 'results', 'tests', 'findings', 'summary', 'exit_code'],
    additionalProperties: false,
    definitions: { ...(definitions as JsonSchema), record, summary, test, passRate, estimate },
  };
}

const count = { type: 'integer', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const amount = { type: 'number', minimum: 0 };
const text = { type: 'string' };
const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const OUTCOMES = ['held', 'broken', 'undecided'];

const passRateFields: Fields<PassRate> = {
  passed: count,
  measured: count,
  rate: share,
  low: { ...share, description: 'Of the 95 % Wilson interval.' },
  high: share,
  standard_error: { ...amount, description: 'Clustered by test.' },
};
const passRate = closed(passRateFields, ['standard_error']);

const estimateFields: Fields<PassEstimate> = {
  k: count,
  value: share,
  tests: { ...count, description: 'Those that were measured at least k times.' },
  standard_error: amount,
};
const estimate = closed(estimateFields, ['standard_error']);

const gateFields: Fields<GateResult> = {
  gate: { enum: ['min_pass_rate', 'max_flaky', 'pass_at_least', 'max_cost'] },
  wanted: amount,
  actual: amount,
  outcome: { enum: OUTCOMES },
  message: text,
};

const testFields: Fields<TestSummary> = {
  file: text,
  line: count,
  test: text,
  target: text,
  verdict: { enum: ['passed', 'failed', 'error', 'skipped'] },
  attempts: count,
  passed: count,
  failed: count,
  error: count,
  skipped: count,
  not_started: count,
  is_flaky: { type: 'boolean' },
  pass_rate: ref('passRate'),
  gate: { type: 'object', properties: { outcome: { enum: OUTCOMES }, message: text } },
};
const test = closed(testFields, ['pass_rate', 'gate']);

const leftOutFields: Fields<LeftOut> = {
  filters: { ...count, description: 'They do not match a line, `--grep` or `--tag`.' },
  only: { ...count, description: 'Other tests say `only`.' },
  passed: { ...count, description: '`--last-failed`: their newest records are passes.' },
};
const rerunFields: Fields<RerunCounts> = {
  failed: count,
  error: count,
  undecided: { ...count, description: 'Every attempt passed, but there were too few.' },
  changed: { ...count, description: 'The test or its agent has changed since.' },
  unskipped: { ...count, description: 'The test was skipped then.' },
  never_run: count,
  skipped: { ...count, description: 'The test is skipped now.' },
};
const shardFields: Fields<ShardSelection> = {
  index: count,
  total: count,
  attempts: count,
  plan_attempts: count,
};
const selectionFields: Fields<RunSelection> = {
  tests_in_files: count,
  selected: { ...count, description: 'Tests that are part of the run.' },
  left_out: { ...closed(leftOutFields, []), description: 'Tests that are not, by the reason.' },
  filters: { ...listOf(text), description: 'As they are written on the command line.' },
  last_failed: { ...closed(rerunFields, []), description: 'Why `--last-failed` selected tests.' },
  shard: { ...closed(shardFields, []), description: 'The part of the plan that the run is.' },
};

const summaryFields: Fields<Summary> = {
  tests: { ...count, description: 'Test times target.' },
  attempts: { ...count, description: 'With the repeats.' },
  passed: count,
  failed: count,
  error: { ...count, description: 'Tests that could not be measured.' },
  skipped: count,
  flaky: { ...count, description: 'Tests that both passed and failed.' },
  undecided: { ...count, description: 'Tests that were measured, but not enough to decide their gate.' },
  not_started: { ...count, description: 'Attempts that were planned but not made.' },
  errors: {
    type: 'object',
    additionalProperties: count,
    description: 'Attempts by the kind of their error.',
  },
  pass_rate: ref('passRate'),
  pass_at_k: { ...listOf(ref('estimate')), description: 'That at least one of k attempts passes.' },
  pass_hat_k: { ...listOf(ref('estimate')), description: 'That all of k attempts pass.' },
  gates: listOf(closed(gateFields, ['actual'])),
  rules: { type: 'object', description: 'What the gates were asked to be.' },
  saved_attempts: { ...count, description: 'Attempts that adaptive repeats did not need.' },
  cost_usd: amount,
  token_usage: ref('usage'),
  judge_cost_usd: amount,
  judge_token_usage: ref('usage'),
  attempts_without_cost: count,
  duration_ms: amount,
  interrupted: { type: 'boolean' },
  selection: {
    ...closed(selectionFields, ['last_failed', 'shard']),
    description: 'What the run leaves out of its files; absent when it leaves nothing out.',
  },
};
const summary = closed(summaryFields, [
  'selection',
  'pass_rate',
  'saved_attempts',
  'cost_usd',
  'token_usage',
  'judge_cost_usd',
  'judge_token_usage',
]);

type Fields<T> = Readonly<Record<keyof T, JsonSchema>>;

function closed<T>(properties: Fields<T>, optional: readonly (keyof T)[]): JsonSchema {
  const required = (Object.keys(properties) as (keyof T)[]).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}
