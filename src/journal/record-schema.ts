import type { JsonSchema } from '../schema/schema.ts';
import { JOURNAL_VERSION } from './line-opener.ts';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const share = { type: 'number', minimum: 0, maximum: 1 };
const milliseconds = { type: 'number', minimum: 0 };
const money = { type: 'number', minimum: 0 };
const anyObject = { type: 'object' };
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
const ref = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/** JSON Schema of a record: a line of the journal, and a result of the JSON reporter. */
export function recordJsonSchema(): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: `A record of Assay's journal, version ${JOURNAL_VERSION}`,
    ...attempt,
    definitions: { step, traceGap, assertion, error, usage, finding },
  };
}

const attempt = closed(
  {
    id: { ...text, description: '`file::test::target::repeat`.' },
    file: text,
    line: count,
    column: count,
    test: text,
    description: text,
    tags: listOf(text),
    target: text,
    repeat: count,
    pass_at_least: { type: ['number', 'string'], description: 'How often the test must pass.' },
    fingerprint: { ...text, description: 'Of the test and how it was judged.' },
    verdict: { enum: ['passed', 'failed', 'error', 'skipped'] },
    score: { ...share, description: 'Absent when it could not be measured.' },
    error: ref('error'),
    skip_reason: text,
    steps: listOf(ref('step')),
    assertions: { ...listOf(ref('assertion')), description: 'Judged on the whole transcript.' },
    findings: { ...listOf(ref('finding')), description: 'Warnings that only this attempt could give.' },
    retries: count,
    token_usage: ref('usage'),
    cost_usd: money,
    judge_calls: { ...count, description: 'How often judges were asked.' },
    judge_token_usage: ref('usage'),
    judge_cost_usd: { ...money, description: 'Of the judges of all assertions.' },
    started_at: text,
    duration_ms: milliseconds,
    crc32: {
      type: 'string',
      pattern: '^[0-9a-f]{8}$',
      description: 'In the journal only: of the bytes of the line before this field.',
    },
  },
  [
    'id',
    'file',
    'line',
    'column',
    'test',
    'tags',
    'target',
    'repeat',
    'fingerprint',
    'verdict',
    'steps',
    'assertions',
    'retries',
    'started_at',
    'duration_ms',
  ],
);

const step = closed(
  {
    line: count,
    input: text,
    input_messages: listOf(anyObject),
    output: text,
    tools_used: listOf(text),
    tool_calls: listOf(anyObject),
    trace_gap: { ...ref('traceGap'), description: 'Why the tool calls are not known.' },
    output_messages: listOf(anyObject),
    memory_before: anyObject,
    memory: { ...anyObject, description: 'After the step.' },
    assertions: listOf(ref('assertion')),
    error: ref('error'),
    printed: text,
    token_usage: ref('usage'),
    cost_usd: money,
    duration_ms: milliseconds,
  },
  ['line', 'input', 'input_messages', 'memory_before', 'assertions', 'duration_ms'],
);

const traceGap = closed(
  {
    kind: {
      enum: ['missing', 'left_out', 'unreadable', 'contradictory'],
      description: '`left_out`: by a function that returned an object with `output`.',
    },
    at: { ...text, description: 'Which part of the reply.' },
    form: { ...text, description: 'Of a tool call that Assay does not read.' },
  },
  ['kind'],
);

const assertion = closed(
  {
    form: { enum: ['claim', 'evaluator'] },
    kind: text,
    name: text,
    weight: { type: 'number', minimum: 0 },
    required: { type: ['boolean', 'number'] },
    score: share,
    passed: { type: 'boolean' },
    expected: {},
    actual: {},
    message: text,
    hits: listOf(text),
    misses: listOf(text),
    details: {},
    judge_calls: count,
    judge_token_usage: ref('usage'),
    judge_cost_usd: money,
    error: ref('error'),
    file: text,
    line: count,
    column: count,
  },
  ['form', 'kind', 'name', 'weight', 'message', 'file', 'line', 'column'],
);

const error = closed(
  {
    kind: {
      enum: [
        'agent',
        'contract',
        'timeout',
        'limit',
        'infrastructure',
        'config',
        'judge',
        'assertion',
        'outdated',
      ],
    },
    message: text,
  },
  ['kind', 'message'],
);

const finding = closed(
  {
    severity: { enum: ['error', 'warning'] },
    code: { ...text, description: 'Stable: docs/findings.md lists them.' },
    message: text,
    hint: text,
    file: text,
    line: count,
    column: count,
    path: text,
  },
  ['severity', 'code', 'message', 'file', 'line', 'column', 'path'],
);

const usage = closed({ input: count, output: count, cached: count }, ['input', 'output']);

/** No other fields: a field that is not described here is a mistake of ours. */
function closed(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}
