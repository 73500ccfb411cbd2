import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../src/base/model/json.ts';
import type { OtlpRequest } from '../../src/evidence/otel/read-otlp.ts';
import type { ExpectedCall, ExpectedTrace } from './recordings.ts';

/** Requests of real exporters, and what must be read from them. `index.json` says what recorded each. */
export interface TelemetryRecording {
  readonly id: string;
  readonly requests: readonly OtlpRequest[];
  readonly expected: ExpectedTelemetry;
}

export interface ExpectedTelemetry extends Omit<ExpectedTrace, 'tool_calls'> {
  readonly tool_calls: readonly (ExpectedCall & { readonly error?: string })[];
}

const FOLDER = new URL('../fixtures/evidence/otlp/', import.meta.url);

export const TELEMETRY: readonly TelemetryRecording[] = (
  JSON.parse(read('index.json')) as readonly { id: string; files: readonly string[]; expected: string }[]
).map(({ id, files, expected }) => ({
  id,
  requests: (JSON.parse(read(files[0]!)) as { requests: readonly Recorded[] }).requests.map(toRequest),
  expected: JSON.parse(read(expected)) as ExpectedTelemetry,
}));

interface Recorded {
  readonly path: string;
  readonly body?: Json;
  readonly body_base64?: string;
}

function toRequest({ path, body, body_base64 }: Recorded): OtlpRequest {
  return {
    body: body ?? new Uint8Array(Buffer.from(body_base64!, 'base64')),
    signal: path.endsWith('logs') ? 'logs' : 'traces',
  };
}

function read(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}

export interface WrittenSpan {
  readonly name?: string;
  readonly trace?: string;
  readonly id?: string;
  readonly parent?: string;
  /** Milliseconds. */
  readonly from?: number;
  readonly to?: number;
  readonly error?: string;
  readonly attributes?: JsonObject;
}

const START_MS = 1_790_000_000_000;

/** A request with these spans, as OTLP/JSON. */
export function spans(...written: readonly WrittenSpan[]): OtlpRequest & { readonly body: JsonObject } {
  const list = written.map(
    ({ name = '', trace = 'a1', id = 'b1', parent, from = 0, to = from + 1, error, attributes = {} }) => ({
      traceId: trace.padStart(32, '0'),
      spanId: id.padStart(16, '0'),
      ...(parent === undefined ? {} : { parentSpanId: parent.padStart(16, '0') }),
      name,
      startTimeUnixNano: nanos(from),
      endTimeUnixNano: nanos(to),
      attributes: pairs(attributes),
      ...(error === undefined ? {} : { status: { code: 2, message: error } }),
    }),
  );
  return { body: { resourceSpans: [{ scopeSpans: [{ scope: { name: 'test' }, spans: list }] }] } };
}

export interface WrittenLog {
  readonly name: string;
  readonly trace?: string;
  readonly span?: string;
  readonly at?: number;
  readonly attributes?: JsonObject;
  readonly body?: Json;
}

export function logs(...written: readonly WrittenLog[]): OtlpRequest & { readonly body: JsonObject } {
  const list = written.map(({ name, trace, span, at = 0, attributes = {}, body }) => ({
    ...(trace === undefined ? {} : { traceId: trace.padStart(32, '0') }),
    ...(span === undefined ? {} : { spanId: span.padStart(16, '0') }),
    timeUnixNano: nanos(at),
    attributes: pairs({ 'event.name': name, ...attributes }),
    ...(body === undefined ? {} : { body: toAnyValue(body) }),
  }));
  return {
    body: { resourceLogs: [{ scopeLogs: [{ scope: { name: 'test' }, logRecords: list }] }] },
    signal: 'logs',
  };
}

function nanos(ms: number): string {
  return String(BigInt(START_MS + ms) * 1_000_000n);
}

function pairs(attributes: JsonObject): readonly JsonObject[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: toAnyValue(value) }));
}

function toAnyValue(value: Json): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number')
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toAnyValue) } };
  return value === null ? {} : { kvlistValue: { values: pairs(value as JsonObject) } };
}

/** Spans of an agent that follows the conventions: it asks for the weather and answers. */
export function weatherSpans({ trace = 'a1', tool = 'get_weather' } = {}): readonly WrittenSpan[] {
  const messages = (value: Json): string => JSON.stringify(value);
  const call = { type: 'tool_call', id: 'call_1', name: tool, arguments: { city: 'Rome' } };
  const user = { role: 'user', parts: [{ type: 'text', content: 'Rome?' }] };
  const model = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-5.2' };
  const answer = { role: 'assistant', parts: [{ type: 'text', content: 'Rome is 12 °C.' }] };
  return [
    {
      trace,
      id: 'c1',
      parent: 'b1',
      from: 10,
      to: 20,
      attributes: {
        ...model,
        'gen_ai.usage.input_tokens': 50,
        'gen_ai.usage.output_tokens': 15,
        'gen_ai.input.messages': messages([user]),
        'gen_ai.output.messages': messages([{ role: 'assistant', parts: [call] }]),
      },
    },
    {
      trace,
      id: 'c2',
      parent: 'b1',
      from: 20,
      to: 30,
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': tool,
        'gen_ai.tool.call.id': 'call_1',
        'gen_ai.tool.call.arguments': '{"city":"Rome"}',
        'gen_ai.tool.call.result': '{"temp_c":12}',
      },
    },
    {
      trace,
      id: 'c3',
      parent: 'b1',
      from: 30,
      to: 40,
      attributes: {
        ...model,
        'gen_ai.usage.input_tokens': 80,
        'gen_ai.usage.output_tokens': 10,
        'gen_ai.input.messages': messages([
          user,
          { role: 'assistant', parts: [call] },
          { role: 'tool', parts: [{ type: 'tool_call_response', id: 'call_1', response: { temp_c: 12 } }] },
        ]),
        'gen_ai.output.messages': messages([answer]),
      },
    },
    {
      trace,
      id: 'b1',
      from: 0,
      to: 50,
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'desk' },
    },
  ];
}
