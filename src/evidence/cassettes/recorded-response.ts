import { framesToEvents, isFrameStream, toFrame } from '../amazon-event-stream.ts';
import type { Exchange } from '../exchange.ts';
import { useOfExchange } from '../wire/use-of-exchange.ts';
import type { ModelAnswer } from '../observe/before-call.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Json } from '../../base/model/json.ts';
import { sleep } from '../../base/system/system-time.ts';
import type { StreamEvent } from '../apis/model-api.ts';
import type { RecordedResponse, Recording, ResponseTime } from './cassette.ts';

/** What is kept of a response. `startMs`: when the first call of its step began. */
export function recordResponse(exchange: Exchange, startMs: number): RecordedResponse {
  const { status, response_headers: headers, response, response_text: text = '' } = exchange;
  const type = headers['content-type'];
  const kept = {
    status,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(isCutOff(exchange) && { broken: true as const }),
    time: timeOf(exchange, startMs),
  };
  if (response !== undefined) return { ...kept, body: response };
  return /event-?stream/i.test(type ?? '') ? { ...kept, events: readEvents(text) } : { ...kept, text };
}

/** A stream whose last event came is whole, although nobody may have waited for the end of the connection. */
export function isCutOff(exchange: Exchange): boolean {
  return exchange.aborted === true && useOfExchange(exchange)?.outcome !== 'answered';
}

function timeOf({ started_ms, ended_ms, first_byte_ms }: Exchange, startMs: number): ResponseTime {
  const since = (ms: number): number => Math.max(0, Math.round(ms));
  return {
    at: since(started_ms - startMs),
    first: since((first_byte_ms ?? ended_ms) - started_ms),
    total: since(ended_ms - started_ms),
  };
}

/** Every event, also one whose data is not JSON: `[DONE]`, or the rest of a broken connection. Comments are left out. */
function readEvents(text: string): readonly StreamEvent[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n\r\n|\n\n|\r\r/)
    .flatMap((block): readonly StreamEvent[] => {
      const lines = block.split(/\r\n|\n|\r/);
      const valuesOf = (name: string): readonly string[] =>
        lines
          .filter((line) => line.startsWith(`${name}:`))
          .map((line) => line.slice(name.length + 1).replace(/^ /, ''));
      const [event] = valuesOf('event');
      const data = valuesOf('data');
      if (data.length === 0) return [];
      return [{ ...(event !== undefined && { event }), ...readData(data.join('\n')) }];
    });
}

function readData(text: string): { readonly data: Json } | { readonly text: string } {
  try {
    return { data: parseJson(text) };
  } catch {
    return { text };
  }
}

/** A recording as the observers of model calls see it. */
export function replayedExchange({ step, request, response }: Recording, seq: number): Exchange {
  const [method = '', path = ''] = request.to.split(' ', 2);
  const { status, headers, body, broken } = response;
  const bytes = Buffer.concat(piecesOf(response));
  const text = isFrameStream(headers['content-type']) ? framesToEvents(bytes) : bytes.toString();
  return {
    seq,
    step,
    started_ms: 0,
    ended_ms: 0,
    method,
    path,
    request: request.body,
    status,
    response_headers: headers,
    ...(body === undefined ? { response_text: text } : { response: body }),
    ...(broken === true && { aborted: true }),
  };
}

interface ReplayOptions {
  /** Keep the delays that were recorded. */
  readonly withDelays: boolean;
}

/** The response as the agent gets it. */
export function replayResponse(response: RecordedResponse, { withDelays }: ReplayOptions): ModelAnswer {
  const { status, headers, time } = response;
  const pieces = piecesOf(response);
  return {
    status,
    headers,
    body: withDelays && time !== undefined ? delayed(pieces, time) : pieces,
    isBroken: response.broken === true,
  };
}

function piecesOf({ body, events, text, headers }: RecordedResponse): readonly Uint8Array[] {
  const type = headers['content-type'];
  if (events !== undefined)
    return events.map((event) => {
      if (isFrameStream(type)) return toFrame(event);
      return Buffer.from(type?.includes('ndjson') === true ? printLine(event) : printEvent(event));
    });
  return [Buffer.from(body === undefined ? (text ?? '') : printJson(body))];
}

function printLine({ data, text }: StreamEvent): string {
  return `${data === undefined ? (text ?? '') : printJson(data)}\n`;
}

function printEvent({ event, data, text }: StreamEvent): string {
  const printed = data === undefined ? (text ?? '') : printJson(data);
  const lines = printed.split('\n').map((line) => `data: ${line}`);
  return [...(event === undefined ? [] : [`event: ${event}`]), ...lines, '', ''].join('\n');
}

/** The first piece comes when it did, the last at the end, the others evenly between them. */
async function* delayed(
  pieces: readonly Uint8Array[],
  { first, total }: ResponseTime,
): AsyncGenerator<Uint8Array> {
  const rest = pieces.length < 2 ? 0 : (total - first) / (pieces.length - 1);
  for (const [index, piece] of pieces.entries()) {
    await sleep(index === 0 ? (pieces.length < 2 ? total : first) : rest);
    yield piece;
  }
}
