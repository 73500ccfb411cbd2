import { hashHex } from '../../base/match/hash-text.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AssertionRecord, AttemptRecord, StepRecord } from '../../base/model/record.ts';
import {
  answerOf,
  callsOf,
  line,
  statusOf,
  textOf,
  type ExportContext,
  type ExportFormat,
} from './export-format.ts';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

interface SpanTime {
  readonly start: number;
  readonly end: number;
}

/** A request of OTLP per attempt: its agent, a model call per step, and its tools, with the verdict as attributes and events. */
export const OTLP_EXPORT: ExportFormat = {
  attempt: (record, context) =>
    line({
      resourceSpans: [
        {
          resource: { attributes: listed({ 'service.name': 'assay', 'test.suite.run.id': context.runId }) },
          scopeSpans: [{ scope: { name: 'assay' }, spans: spansOf(record, context) }],
        },
      ],
    }),
};

function spansOf(record: AttemptRecord, { runId, isRepeated }: ExportContext): readonly JsonObject[] {
  const traceId = idOf(32, runId, record.id);
  const root = idOf(16, traceId, 'root');
  const conversation = isRepeated(record) ? `${record.test}#${record.repeat}` : record.test;
  const spans: JsonObject[] = [];
  const span = (name: string, time: SpanTime, attributes: Attributes, more: JsonObject = {}): void =>
    void spans.push({
      traceId,
      spanId: spans.length === 0 ? root : idOf(16, traceId, String(spans.length)),
      ...(spans.length === 0 ? {} : { parentSpanId: root }),
      name,
      kind: 1,
      startTimeUnixNano: nanos(time.start),
      endTimeUnixNano: nanos(time.end),
      attributes: listed({ 'gen_ai.conversation.id': conversation, ...attributes }),
      ...more,
    });
  const times = timesOf(record);
  const [first] = times;
  span(
    `invoke_agent ${record.target}`,
    { start: first?.start ?? 0, end: times.at(-1)?.end ?? 0 },
    {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': record.target,
      'test.suite.run.id': runId,
      'test.case.id': record.id,
      'test.case.name': record.test,
      'test.case.result.status': statusOf(record),
    },
    { events: evaluationsOf(record, times.at(-1)?.end ?? 0) },
  );
  const said: Json[] = [];
  for (const [index, step] of record.steps.entries()) {
    const time = times[index]!;
    said.push({ role: 'user', parts: [{ type: 'text', content: step.input }] });
    const answer = answerOf(step);
    span(`chat ${step.models?.[0] ?? ''}`.trim(), time, modelAttributes(step, { said, answer }));
    for (const call of callsOf(step, index)) {
      const { id, tool, input, output, status, duration_ms = 0 } = call;
      const isError = status === 'error';
      span(
        `execute_tool ${tool}`,
        { start: time.start, end: time.start + duration_ms },
        {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': tool,
          'gen_ai.tool.call.id': id,
          'gen_ai.tool.call.arguments': input === undefined ? undefined : textOf(input),
          'gen_ai.tool.call.result': output === undefined ? undefined : textOf(output),
        },
        isError ? { status: { code: 2 } } : {},
      );
    }
    if (answer !== undefined) said.push({ role: 'assistant', parts: [{ type: 'text', content: answer }] });
  }
  return spans;
}

function modelAttributes(
  { models, token_usage: usage }: StepRecord,
  { said, answer }: { readonly said: readonly Json[]; readonly answer: string | undefined },
): Attributes {
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': models?.[0],
    'gen_ai.usage.input_tokens': usage && usage.input + (usage.cached ?? 0),
    'gen_ai.usage.output_tokens': usage?.output,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached,
    'gen_ai.usage.reasoning.output_tokens': usage?.reasoning,
    'gen_ai.input.messages': printJson(said),
    'gen_ai.output.messages':
      answer === undefined
        ? undefined
        : printJson([
            { role: 'assistant', parts: [{ type: 'text', content: answer }], finish_reason: 'stop' },
          ]),
  };
}

/** Steps follow each other, also where their times are not known. */
function timesOf({ steps, started_at }: AttemptRecord): readonly SpanTime[] {
  let start = Date.parse(started_at);
  return steps.map(({ duration_ms = 0 }) => {
    const time = { start, end: start + Math.max(1, Math.ceil(duration_ms)) };
    start = time.end + 1;
    return time;
  });
}

function evaluationsOf(record: AttemptRecord, at: number): readonly JsonObject[] {
  const own = [...record.steps.flatMap(({ assertions }) => assertions), ...record.assertions];
  const scores = Object.entries(record.foreign_scores ?? {}).map(([name, value]) => ({
    'gen_ai.evaluation.name': name,
    ...(typeof value === 'number'
      ? { 'gen_ai.evaluation.score.value': value }
      : { 'gen_ai.evaluation.score.label': textOf(value) }),
  }));
  return [...own.map(evaluationOf), ...scores].map((attributes) => ({
    name: 'gen_ai.evaluation.result',
    timeUnixNano: nanos(at),
    attributes: listed(attributes),
  }));
}

function evaluationOf({ name, score, passed, message, error }: AssertionRecord): Attributes {
  return {
    'gen_ai.evaluation.name': name,
    'gen_ai.evaluation.score.value': score,
    'gen_ai.evaluation.score.label': passed === undefined ? undefined : passed ? 'pass' : 'fail',
    'gen_ai.evaluation.explanation': error?.message ?? message,
    'error.type': error?.kind,
  };
}

function listed(attributes: Attributes): readonly JsonObject[] {
  return Object.entries(attributes).flatMap(([key, value]): readonly JsonObject[] =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}

function nanos(ms: number): string {
  return String(BigInt(Math.round(ms * 1000)) * 1000n);
}

/** The same attempt has the same ids, so that an export that is sent twice counts once. */
function idOf(digits: number, ...parts: readonly string[]): string {
  let text = '';
  for (let number = 0; text.length < digits; number++) text += hashHex([number, ...parts].join('\0'));
  return text.slice(0, digits);
}
