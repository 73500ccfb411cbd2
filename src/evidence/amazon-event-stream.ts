import zlib from 'node:zlib';
import { isJsonObject, type Json } from '../base/model/json.ts';
import { parseJson } from '../base/model/parse-json.ts';
import { printJson } from '../base/model/print-json.ts';
import type { StreamEvent } from './apis/model-api.ts';
import { textAt } from './foreign-fields.ts';

/*
 * The binary frames in which Bedrock streams: a length, headers, a payload and two checksums. Assay keeps them as server-sent
 * events, which a person can read in a cassette, and writes them back when it replays one.
 */

export function isFrameStream(contentType: string | undefined): boolean {
  return contentType?.startsWith('application/vnd.amazon.eventstream') === true;
}

/** The frames as the text of server-sent events. Bytes that are no whole frame are kept as an event that cannot be read. */
export function framesToEvents(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at < buffer.length;) {
    const length = at + PRELUDE <= buffer.length ? buffer.readUInt32BE(at) : 0;
    if (length < PRELUDE + CHECKSUM || at + length > buffer.length) return `${text}data: {"cut":\n`;
    const frame = buffer.subarray(at, at + length);
    const payloadAt = PRELUDE + frame.readUInt32BE(4);
    if (payloadAt > length - CHECKSUM) return `${text}data: {"cut":\n`;
    const headers = readHeaders(frame.subarray(PRELUDE, payloadAt));
    const name = headers.get(':event-type') ?? headers.get(':exception-type') ?? headers.get(':error-code');
    const payload = frame.subarray(payloadAt, length - CHECKSUM).toString('utf8');
    const message = headers.get(':error-message');
    const data = message === undefined ? unwrapped(payload) : printJson({ message });
    text += `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
    at += length;
  }
  return text;
}

const PRELUDE = 12;
const CHECKSUM = 4;
/** The only type of header that these services send. */
const TEXT_HEADER = 7;

function readHeaders(bytes: Buffer): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const nameEnd = at + 1 + bytes.readUInt8(at);
    if (nameEnd + 3 > bytes.length || bytes.readUInt8(nameEnd) !== TEXT_HEADER) break;
    const valueAt = nameEnd + 3;
    const end = valueAt + bytes.readUInt16BE(nameEnd + 1);
    headers.set(bytes.toString('utf8', at + 1, nameEnd), bytes.toString('utf8', valueAt, end));
    at = end;
  }
  return headers;
}

/** `invoke-with-response-stream` sends the events of the model's own API as base64. `p` is only there to hide lengths. */
function unwrapped(payload: string): string {
  try {
    const read = parseJson(payload);
    if (!isJsonObject(read)) return payload;
    const bytes = textAt(read, 'bytes');
    if (bytes !== undefined) return Buffer.from(bytes, 'base64').toString('utf8');
    const { p: _, ...rest } = read;
    return printJson(rest);
  } catch {
    return payload;
  }
}

/** One event as a frame. */
export function toFrame({ event, data, text }: StreamEvent): Uint8Array {
  const isFailure = /(?:Exception|Error)$/.test(event ?? '');
  const payload = Buffer.from(data === undefined ? (text ?? '') : printJson(payloadOf(event, data)));
  const headers = Buffer.concat([
    header(isFailure ? ':exception-type' : ':event-type', event ?? 'chunk'),
    header(':content-type', 'application/json'),
    header(':message-type', isFailure ? 'exception' : 'event'),
  ]);
  const frame = Buffer.alloc(PRELUDE + headers.length + payload.length + CHECKSUM);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(headers.length, 4);
  frame.writeUInt32BE(checksum(frame.subarray(0, 8)), 8);
  headers.copy(frame, PRELUDE);
  payload.copy(frame, PRELUDE + headers.length);
  frame.writeUInt32BE(checksum(frame.subarray(0, -CHECKSUM)), frame.length - CHECKSUM);
  return frame;
}

function payloadOf(event: string | undefined, data: Json): Json {
  return event === 'chunk' ? { bytes: Buffer.from(printJson(data)).toString('base64') } : data;
}

function header(name: string, value: string): Buffer {
  const bytes = Buffer.from(value);
  const head = Buffer.from([
    name.length,
    ...Buffer.from(name),
    TEXT_HEADER,
    bytes.length >> 8,
    bytes.length & 255,
  ]);
  return Buffer.concat([head, bytes]);
}

/** The types of Node 20 lack it. */
function checksum(bytes: Uint8Array): number {
  return (zlib as unknown as { crc32(bytes: Uint8Array): number }).crc32(bytes);
}
