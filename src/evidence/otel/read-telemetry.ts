import { isJsonObject, setOwn, type Json, type JsonObject } from '../../base/model/json.ts';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import type { LogEvent, Span, SpanEvent, TelemetryProblem } from './telemetry.ts';

export interface TelemetryListener {
  onSpan(span: Span): void;
  onLog(log: LogEvent): void;
  onProblem(problem: TelemetryProblem): void;
}

/** Whether JSON is a request of OTLP, of traces or of logs. */
export function isOtlp(body: Json): boolean {
  return isJsonObject(body) && (resourcesOf(body, 'spans') ?? resourcesOf(body, 'logs')) !== undefined;
}

/** Reads a request, as JSON or as `decodeProtobuf` makes it. What cannot be read is a problem, and the rest is read. */
export function readTelemetry(body: Json, listener: TelemetryListener): void {
  if (!isJsonObject(body) || !isOtlp(body)) {
    // A request without anything in it is an empty message. Metrics tell nothing of single calls.
    if (
      isJsonObject(body) &&
      (Object.keys(body).length === 0 || listAt(body, 'resourceMetrics', 'resource_metrics') !== undefined)
    )
      return;
    return listener.onProblem({ at: '', message: 'it has neither `resourceSpans` nor `resourceLogs`' });
  }
  for (const kind of ['spans', 'logs'] as const)
    for (const [at, resource] of entries(resourcesOf(body, kind), RESOURCES[kind][0]!, listener))
      readResource(resource, { at, kind, listener });
}

const RESOURCES = {
  spans: ['resourceSpans', 'resource_spans'],
  logs: ['resourceLogs', 'resource_logs'],
} as const;
const SCOPES = {
  spans: ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans'],
  logs: ['scopeLogs', 'scope_logs', 'instrumentationLibraryLogs'],
} as const;

type Kind = keyof typeof RESOURCES;

interface Place {
  readonly at: string;
  readonly kind: Kind;
  readonly listener: TelemetryListener;
}

function resourcesOf(body: JsonObject, kind: Kind): readonly Json[] | undefined {
  return listAt(body, ...RESOURCES[kind]);
}

function readResource(resource: JsonObject, { at, kind, listener }: Place): void {
  for (const [place, scoped] of entries(
    listAt(resource, ...SCOPES[kind]),
    `${at}.${SCOPES[kind][0]}`,
    listener,
  )) {
    const scope = textAt(objectAt(scoped, 'scope', 'instrumentationLibrary'), 'name') ?? '';
    if (kind === 'spans')
      for (const [spanAt, span] of entries(listAt(scoped, 'spans'), `${place}.spans`, listener))
        readSpan(span, { at: spanAt, scope, listener });
    else
      for (const [, log] of entries(
        listAt(scoped, 'logRecords', 'log_records', 'logs'),
        `${place}.logRecords`,
        listener,
      ))
        readLog(log, scope, listener);
  }
}

function* entries(
  list: readonly Json[] | undefined,
  at: string,
  listener: TelemetryListener,
): Iterable<readonly [string, JsonObject]> {
  for (const [index, item] of (list ?? []).entries()) {
    const place = `${at}[${index}]`;
    if (isJsonObject(item)) yield [place, item];
    else listener.onProblem({ at: place, message: 'it is not an object' });
  }
}

function readSpan(
  span: JsonObject,
  { at, scope, listener }: { at: string; scope: string; listener: TelemetryListener },
): void {
  const traceId = readId(valueAt(span, 'traceId', 'trace_id'), 16);
  const spanId = readId(valueAt(span, 'spanId', 'span_id'), 8);
  if (traceId === undefined || spanId === undefined)
    return listener.onProblem({ at, message: 'a span without a trace id and a span id' });
  const startMs = readTime(valueAt(span, 'startTimeUnixNano', 'start_time_unix_nano'));
  const endMs = readTime(valueAt(span, 'endTimeUnixNano', 'end_time_unix_nano'));
  if (startMs === undefined) listener.onProblem({ at, message: 'a span without a start time' });
  const parentId = readId(valueAt(span, 'parentSpanId', 'parent_span_id'), 8);
  const status = objectAt(span, 'status');
  const code = status === undefined ? undefined : valueAt(status, 'code');
  listener.onSpan({
    traceId,
    spanId,
    // A span that names itself as its parent has none.
    parentId: parentId === spanId ? undefined : parentId,
    name: textAt(span, 'name') ?? '',
    scope,
    attributes: readAttributes(listAt(span, 'attributes')),
    events: (listAt(span, 'events') ?? []).flatMap((event) =>
      isJsonObject(event) ? readSpanEvent(event) : [],
    ),
    startMs: startMs ?? 0,
    // A clock that was set back in between.
    endMs: Math.max(endMs ?? 0, startMs ?? 0),
    isError: code === 2 || code === 'STATUS_CODE_ERROR',
    statusMessage: status === undefined ? undefined : textAt(status, 'message'),
  });
}

function readSpanEvent(event: JsonObject): readonly SpanEvent[] {
  const name = textAt(event, 'name');
  return name === undefined ? [] : [{ name, attributes: readAttributes(listAt(event, 'attributes')) }];
}

/** A log record without a name is what a program prints: it says nothing of calls. */
function readLog(log: JsonObject, scope: string, listener: TelemetryListener): void {
  const attributes = readAttributes(listAt(log, 'attributes'));
  const body = readValue(valueAt(log, 'body'));
  const own = textAt(attributes, 'event.name');
  const name = own ?? textAt(log, 'eventName', 'event_name');
  if (name === undefined || name === '') return;
  listener.onLog({
    name,
    scope,
    traceId: readId(valueAt(log, 'traceId', 'trace_id'), 16),
    spanId: readId(valueAt(log, 'spanId', 'span_id'), 8),
    timeMs:
      readTime(valueAt(log, 'timeUnixNano', 'time_unix_nano')) ??
      readTime(valueAt(log, 'observedTimeUnixNano', 'observed_time_unix_nano')) ??
      0,
    attributes,
    body,
  });
}

/** Hexadecimal digits. Some exporters write base64, as protobuf's own JSON does. All zeros mean that there is none. */
function readId(value: Json | undefined, size: number): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined;
  const digits =
    value.length === size * 2 ? value.toLowerCase() : Buffer.from(value, 'base64').toString('hex');
  return /[1-9a-f]/.test(digits) ? digits : undefined;
}

/** Nanoseconds, which are too large for a number: some write text. The rest of a microsecond is lost. */
function readTime(value: Json | undefined): number | undefined {
  const nanos = Number(value);
  return value === undefined || !Number.isFinite(nanos) || nanos <= 0 ? undefined : nanos / 1e6;
}

function readAttributes(list: readonly Json[] | undefined): JsonObject {
  const attributes: Record<string, Json> = {};
  for (const pair of list ?? [])
    if (isJsonObject(pair) && typeof pair['key'] === 'string') {
      const value = readValue(pair['value']);
      if (value !== undefined) setOwn(attributes, pair['key'], value);
    }
  return attributes;
}

/** An AnyValue of OTLP/JSON as plain JSON. Protobuf was decoded so already. */
function readValue(value: Json | undefined, depth = 0): Json | undefined {
  if (!isJsonObject(value)) return value;
  for (const key in value) {
    const own = value[key]!;
    switch (key) {
      case 'stringValue':
      case 'string_value':
      case 'boolValue':
      case 'bool_value':
      case 'bytesValue':
      case 'doubleValue':
      case 'double_value':
        return own;
      case 'intValue':
      case 'int_value':
        return typeof own === 'string' && /^-?\d{1,15}$/.test(own) ? Number(own) : own;
      case 'arrayValue':
      case 'array_value':
        return depth > MAX_DEPTH
          ? null
          : (listAt(own, 'values') ?? []).map((each) => readValue(each, depth + 1) ?? null);
      case 'kvlistValue':
      case 'kvlist_value': {
        const object: Record<string, Json> = {};
        for (const pair of listAt(own, 'values') ?? [])
          if (isJsonObject(pair) && typeof pair['key'] === 'string')
            setOwn(
              object,
              pair['key'],
              depth > MAX_DEPTH ? null : (readValue(pair['value'], depth + 1) ?? null),
            );
        return object;
      }
    }
  }
  // An empty AnyValue is null; anything else was decoded from protobuf, or is an object that somebody wrote as it is.
  return Object.keys(value).length === 0 ? null : value;
}

const MAX_DEPTH = 200;

/** A number that some exporters write as text. */
export function amountAt(attributes: JsonObject, ...names: readonly string[]): number | undefined {
  const number = numberAt(attributes, ...names);
  if (number !== undefined) return number;
  for (const name of names) {
    const text = textAt(attributes, name);
    if (text !== undefined && /^\d+(\.\d+)?$/.test(text)) return Number(text);
  }
  return undefined;
}
