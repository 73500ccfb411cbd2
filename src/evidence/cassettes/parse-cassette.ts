import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { StreamEvent } from '../apis/model-api.ts';
import type { CanonicalRequest } from './canonical-request.ts';
import {
  CASSETTE_VERSION,
  recordingName,
  type Cassette,
  type CassettePart,
  type RecordedRepeat,
  type RecordedResponse,
  type Recording,
  type ResponseTime,
} from './cassette.ts';
import { CassetteError } from './cassette-error.ts';
import { readContinued, type WrittenRequest } from './continued-request.ts';
import { joinLines } from './text-lines.ts';

/** Reads the text of a file. Throws a CassetteError for everything that is not a whole cassette. */
export function parseCassette(text: string): Cassette {
  const root = fieldsOf(parseText(text), 'the file');
  const version = ownValue(root, 'assay_cassette');
  if (typeof version === 'number' && version > CASSETTE_VERSION)
    throw new CassetteError(
      `it has version ${version} of the format, and this Assay reads up to ${CASSETTE_VERSION}: update Assay`,
    );
  if (version !== CASSETTE_VERSION)
    throw new CassetteError('it is not a cassette: `assay_cassette: 1` is missing');
  onlyKeys(root, ['assay_cassette', 'file', 'test', 'target', 'repeats'], 'the file');
  const known = new Map<string, CanonicalRequest>();
  const repeats = listAt(root, 'repeats', 'the file').map((repeat, index) =>
    readRepeat(repeat, `repeats[${index}]`, known),
  );
  const numbers = repeats.map(({ repeat }) => repeat);
  if (new Set(numbers).size < numbers.length) throw new CassetteError('a repeat is there twice');
  return {
    file: textAt(root, 'file', 'the file'),
    test: textAt(root, 'test', 'the file'),
    target: textAt(root, 'target', 'the file'),
    repeats,
  };
}

function parseText(text: string): Json {
  try {
    return joinLines(parseJson(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    throw new CassetteError(`it is damaged: ${(error as Error).message}`);
  }
}

function readRepeat(value: Json, place: string, known: Map<string, CanonicalRequest>): RecordedRepeat {
  const fields = fieldsOf(value, place);
  onlyKeys(fields, ['repeat', 'agent', 'judge'], place);
  const repeat = numberAt(fields, 'repeat', place);
  if (!Number.isInteger(repeat) || repeat < 1) throw wrong(`${place}.repeat`, 'a number from 1 on');
  const part = (name: CassettePart): readonly Recording[] => {
    const list = ownValue(fields, name) === undefined ? [] : listAt(fields, name, place);
    return list.map((recording, index) => {
      const call = recordingName(repeat, name, index + 1);
      const read = readRecording(recording, { place: `${place}.${name}[${index}]`, call }, known);
      known.set(call, read.request);
      return read;
    });
  };
  return { repeat, agent: part('agent'), judge: part('judge') };
}

function readRecording(
  value: Json,
  { place, call }: { readonly place: string; readonly call: string },
  known: ReadonlyMap<string, CanonicalRequest>,
): Recording {
  const fields = fieldsOf(value, place);
  onlyKeys(fields, ['call', 'step', 'request', 'response'], place);
  // Others name it by its place, so one that was moved would answer another call.
  if (textAt(fields, 'call', place) !== call)
    throw wrong(`${place}.call`, `"${call}": recordings were moved or removed`);
  const request = fieldsOf(ownValue(fields, 'request'), `${place}.request`);
  return {
    step: numberAt(fields, 'step', place),
    request: readRequest(request, `${place}.request`, known),
    response: readResponse(fieldsOf(ownValue(fields, 'response'), `${place}.response`), `${place}.response`),
  };
}

function readRequest(
  fields: JsonObject,
  place: string,
  known: ReadonlyMap<string, CanonicalRequest>,
): CanonicalRequest {
  const base = ownValue(fields, 'continues');
  onlyKeys(fields, base === undefined ? ['to', 'body'] : ['continues', 'with', 'adds'], place);
  if (base === undefined) {
    textAt(fields, 'to', place);
    fieldsOf(ownValue(fields, 'body'), `${place}.body`);
  } else {
    textAt(fields, 'continues', place);
    if (ownValue(fields, 'with') !== undefined) fieldsOf(ownValue(fields, 'with'), `${place}.with`);
    if (ownValue(fields, 'adds') !== undefined) listAt(fields, 'adds', place);
  }
  const read = readContinued(fields as unknown as WrittenRequest, known);
  if (read === undefined)
    throw new CassetteError(`${place} continues "${String(base)}", but there is no such recording before it`);
  return read;
}

function readResponse(fields: JsonObject, place: string): RecordedResponse {
  onlyKeys(fields, ['status', 'headers', 'broken', 'time', 'body', 'events', 'text'], place);
  const status = numberAt(fields, 'status', place);
  const isStatus = Number.isInteger(status) && (status === 0 || (status >= 200 && status <= 599));
  if (!isStatus) throw wrong(`${place}.status`, 'an HTTP status');
  const headers = fieldsOf(ownValue(fields, 'headers'), `${place}.headers`);
  for (const name of Object.keys(headers))
    checkHeader(name, textAt(headers, name, `${place}.headers`), place);
  const isBroken = ownValue(fields, 'broken');
  if (isBroken !== undefined && isBroken !== true) throw wrong(`${place}.broken`, '`true`, or left out');
  const body = ownValue(fields, 'body');
  const events = ownValue(fields, 'events') === undefined ? undefined : listAt(fields, 'events', place);
  const text = ownValue(fields, 'text') === undefined ? undefined : textAt(fields, 'text', place);
  if (status !== 0 && [body, events, text].filter((each) => each !== undefined).length !== 1)
    throw wrong(place, 'a response with one of `body`, `events` and `text`');
  return {
    status,
    headers: headers as Readonly<Record<string, string>>,
    body,
    events: events?.map((event, index) => readEvent(event, `${place}.events[${index}]`)),
    text,
    broken: isBroken,
    time: readTime(ownValue(fields, 'time'), `${place}.time`),
  };
}

function checkHeader(name: string, value: string, place: string): void {
  const isSendable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
  if (!isSendable) throw wrong(`${place}.headers`, 'headers that can be sent');
}

function readEvent(value: Json, place: string): StreamEvent {
  const fields = fieldsOf(value, place);
  onlyKeys(fields, ['event', 'data', 'text'], place);
  const data = ownValue(fields, 'data');
  const text = ownValue(fields, 'text');
  if ((data === undefined) === (text === undefined)) throw wrong(place, 'an event with `data` or `text`');
  return {
    ...(ownValue(fields, 'event') !== undefined && { event: textAt(fields, 'event', place) }),
    ...(data === undefined ? { text: textAt(fields, 'text', place) } : { data }),
  };
}

function readTime(value: Json | undefined, place: string): ResponseTime | undefined {
  if (value === undefined) return undefined;
  const fields = fieldsOf(value, place);
  const number = (name: string): number => numberAt(fields, name, place);
  return { at: number('at'), first: number('first'), total: number('total') };
}

/** A misspelled field would be left out, and the recording would answer another request. */
function onlyKeys(fields: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(fields).find((key) => !known.includes(key));
  if (unknown !== undefined)
    throw new CassetteError(`${place} has an unknown field "${unknown}": there are ${known.join(', ')}`);
}

function fieldsOf(value: Json | undefined, place: string): JsonObject {
  if (!isJsonObject(value)) throw wrong(place, 'an object');
  return value;
}

function listAt(fields: JsonObject, name: string, place: string): readonly Json[] {
  const value = ownValue(fields, name);
  if (!isJsonList(value)) throw wrong(`${place}.${name}`, 'a list');
  return value;
}

function textAt(fields: JsonObject, name: string, place: string): string {
  const value = ownValue(fields, name);
  if (typeof value !== 'string') throw wrong(`${place}.${name}`, 'text');
  return value;
}

function numberAt(fields: JsonObject, name: string, place: string): number {
  const value = ownValue(fields, name);
  if (typeof value !== 'number' || value < 0) throw wrong(`${place}.${name}`, 'a number');
  return value;
}

function wrong(place: string, wanted: string): CassetteError {
  return new CassetteError(`${place} must be ${wanted}`);
}
