import { setOwn, type Json, type JsonObject } from '../../base/model/json.ts';

/** Which telemetry a body has: the path of the request says so. */
export type Signal = 'traces' | 'logs';

/** A protobuf body that is not what it should be. */
export class ProtobufError extends Error {}

/**
 * Reads an OTLP request of binary protobuf into what the same request is in OTLP/JSON, but with the values of attributes as plain JSON.
 * Only the fields that are read later are named here; protobuf says of every other field how long it is.
 */
export function decodeProtobuf(body: Uint8Array, signal: Signal): JsonObject {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return readMessage({ buffer, at: 0 }, buffer.length, signal === 'traces' ? TRACES : LOGS, 0) as JsonObject;
}

interface Cursor {
  readonly buffer: Buffer;
  at: number;
}

type ReadField = (cursor: Cursor, end: number, depth: number) => Json;

interface Field {
  readonly name: string;
  readonly read: ReadField;
  readonly isList?: boolean;
}

type MessageType = Readonly<Record<number, Field>>;

const text: ReadField = (cursor, end) => cursor.buffer.toString('utf8', cursor.at, end);
const hex: ReadField = (cursor, end) => cursor.buffer.toString('hex', cursor.at, end);
const bytes: ReadField = (cursor, end) => cursor.buffer.toString('base64', cursor.at, end);
const fixed64: ReadField = (cursor) => Number(cursor.buffer.readBigUInt64LE(cursor.at));
const double: ReadField = (cursor) => finite(cursor.buffer.readDoubleLE(cursor.at));
const count: ReadField = (cursor) => readVarint(cursor);
const integer: ReadField = (cursor) => readInt64(cursor);
const boolean: ReadField = (cursor) => readVarint(cursor) !== 0;
const message =
  (type: () => MessageType): ReadField =>
  (cursor, end, depth) =>
    readMessage(cursor, end, type(), depth + 1);

/** An AnyValue is the value that it has. */
const value: ReadField = (cursor, end, depth) => {
  const read = readMessage(cursor, end, ANY_VALUE, depth + 1) as JsonObject;
  for (const key in read) return read[key]!;
  return null;
};
const values: ReadField = (cursor, end, depth) =>
  ((readMessage(cursor, end, ARRAY_VALUE, depth + 1) as JsonObject)['values'] ?? []) as Json;
const pairs: ReadField = (cursor, end, depth) => {
  const read = readMessage(cursor, end, KEY_VALUE_LIST, depth + 1) as JsonObject;
  const object: Record<string, Json> = {};
  for (const pair of (read['values'] ?? []) as readonly JsonObject[])
    setOwn(object, String(pair['key'] ?? ''), pair['value'] ?? null);
  return object;
};

const ANY_VALUE: MessageType = {
  1: { name: 'string', read: text },
  2: { name: 'bool', read: boolean },
  3: { name: 'int', read: integer },
  4: { name: 'double', read: double },
  5: { name: 'array', read: values },
  6: { name: 'kvlist', read: pairs },
  7: { name: 'bytes', read: bytes },
};
const KEY_VALUE: MessageType = { 1: { name: 'key', read: text }, 2: { name: 'value', read: value } };
const ARRAY_VALUE: MessageType = { 1: { name: 'values', read: value, isList: true } };
const KEY_VALUE_LIST: MessageType = { 1: { name: 'values', read: message(() => KEY_VALUE), isList: true } };
const attributes: Field = { name: 'attributes', read: message(() => KEY_VALUE), isList: true };
const RESOURCE: MessageType = { 1: attributes };
const SCOPE: MessageType = { 1: { name: 'name', read: text } };
const EVENT: MessageType = {
  1: { name: 'timeUnixNano', read: fixed64 },
  2: { name: 'name', read: text },
  3: attributes,
};
const STATUS: MessageType = { 2: { name: 'message', read: text }, 3: { name: 'code', read: count } };
const SPAN: MessageType = {
  1: { name: 'traceId', read: hex },
  2: { name: 'spanId', read: hex },
  4: { name: 'parentSpanId', read: hex },
  5: { name: 'name', read: text },
  7: { name: 'startTimeUnixNano', read: fixed64 },
  8: { name: 'endTimeUnixNano', read: fixed64 },
  9: attributes,
  11: { name: 'events', read: message(() => EVENT), isList: true },
  15: { name: 'status', read: message(() => STATUS) },
};
const LOG_RECORD: MessageType = {
  1: { name: 'timeUnixNano', read: fixed64 },
  5: { name: 'body', read: value },
  6: attributes,
  9: { name: 'traceId', read: hex },
  10: { name: 'spanId', read: hex },
  11: { name: 'observedTimeUnixNano', read: fixed64 },
  12: { name: 'eventName', read: text },
};
const resource: Field = { name: 'resource', read: message(() => RESOURCE) };
const scope: Field = { name: 'scope', read: message(() => SCOPE) };
const SCOPE_SPANS: MessageType = { 1: scope, 2: list('spans', SPAN) };
const SCOPE_LOGS: MessageType = { 1: scope, 2: list('logRecords', LOG_RECORD) };
const TRACES: MessageType = { 1: list('resourceSpans', { 1: resource, 2: list('scopeSpans', SCOPE_SPANS) }) };
const LOGS: MessageType = { 1: list('resourceLogs', { 1: resource, 2: list('scopeLogs', SCOPE_LOGS) }) };

function list(name: string, type: MessageType): Field {
  return { name, read: message(() => type), isList: true };
}

/** Deeper than any value of an attribute, and far from the end of the stack. */
const MAX_DEPTH = 200;

function readMessage(cursor: Cursor, end: number, type: MessageType, depth: number): Json {
  if (depth > MAX_DEPTH) throw new ProtobufError(`it is nested more than ${MAX_DEPTH} levels deep`);
  const read: Record<string, Json> = {};
  while (cursor.at < end) {
    const key = readVarint(cursor);
    const wire = key & 7;
    const stop = endOfField(cursor, wire, end);
    const field = type[key >>> 3];
    if (field !== undefined) {
      const each = field.read(cursor, stop, depth);
      const before = read[field.name];
      if (field.isList !== true) read[field.name] = each;
      else if (before === undefined) read[field.name] = [each];
      else (before as Json[]).push(each);
    } else if (wire === 0) readVarint(cursor);
    if (wire !== 0) cursor.at = stop;
    if (cursor.at > end) throw cut();
  }
  return read;
}

/** Where the value of a field ends. A number of variable length ends where it ends. */
function endOfField(cursor: Cursor, wire: number, end: number): number {
  if (wire === 0) return end;
  const length = wire === 2 ? readVarint(cursor) : wire === 1 ? 8 : wire === 5 ? 4 : -1;
  if (length < 0) throw new ProtobufError('it has a field of an unknown kind');
  if (cursor.at + length > end) throw cut();
  return cursor.at + length;
}

function cut(): ProtobufError {
  return new ProtobufError('it ends in the middle of a field');
}

function readVarint(cursor: Cursor): number {
  let result = 0;
  for (let shift = 0; shift < 70; shift += 7) {
    const byte = cursor.buffer[cursor.at++];
    if (byte === undefined) throw cut();
    result += (byte & 127) * 2 ** shift;
    if (byte < 128) return result;
  }
  throw new ProtobufError('it has a number that does not end');
}

/** Negative numbers take all ten bytes. */
function readInt64(cursor: Cursor): number | bigint {
  const start = cursor.at;
  const fast = readVarint(cursor);
  if (Number.isSafeInteger(fast)) return fast;
  let exact = 0n;
  for (let at = start; at < cursor.at; at++)
    exact |= BigInt(cursor.buffer[at]! & 127) << BigInt(7 * (at - start));
  const signed = BigInt.asIntN(64, exact);
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

function finite(number: number): Json {
  return Number.isFinite(number) ? number : String(number);
}
