import { isJsonObject, setOwn, type JsonObject } from '../../base/model/json.ts';
import type { OtherCalls } from '../../base/model/other-calls.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import { monotonicMs } from '../../base/system/system-time.ts';
import { kindOfOtherCall, readOtherCall } from '../apis/other-calls.ts';
import type { Exchange } from '../exchange.ts';
import type { ModelCall } from './before-call.ts';
import { isModelCall, mayBeModelCall } from '../wire/recognise-model-call.ts';
import { unreadModelCall } from '../wire/unread-model-call.ts';
import type { UnreadCall } from '../trace.ts';
import { KeptBody } from './kept-body.ts';

export interface OpenExchangeOptions {
  readonly seq: number;
  readonly step: number;
  readonly method: string;
  readonly path: string;
}

/** A request that may be a model call, from when it is sent to the end of its response. The recorder and the proxy both fill it. */
export class OpenExchange {
  private readonly options: OpenExchangeOptions;
  private startedMs = monotonicMs();
  private endedMs: number | undefined;
  private firstByteMs: number | undefined;
  private sent = new KeptBody();
  private readonly received = new KeptBody();
  private status = 0;
  private headers: Readonly<Record<string, string>> = {};
  private encoding: string | undefined;
  private isBroken = false;
  /** What was read of `sent`, which takes long for a long conversation. */
  private call: ModelCall | undefined;
  /** The response as it came, where the agent gets another one. */
  whole: OpenExchange | undefined;

  constructor(options: OpenExchangeOptions) {
    this.options = options;
  }

  /** The body of the request, or the next piece of it. */
  send(body: string | Uint8Array): void {
    this.call = undefined;
    this.sent.add(typeof body === 'string' ? Buffer.from(body) : body);
  }

  /** Something else is sent instead. */
  replaceRequest(body: string): void {
    this.sent = new KeptBody();
    this.send(body);
  }

  /** From now on this is what the agent sees, and what comes from the server goes to the one that is returned. */
  splitOff(): OpenExchange {
    this.whole = new OpenExchange(this.options);
    this.whole.startedMs = this.startedMs;
    this.whole.sent = this.sent;
    return this.whole;
  }

  /** What is sent cannot be seen. */
  loseRequest(): void {
    this.call = undefined;
    this.sent.isCut = true;
  }

  /** `encoding`: of the bytes that come, where they are not unpacked yet. */
  respond(status: number, headers: Iterable<readonly [string, string]>, encoding?: string): void {
    this.status = status;
    this.headers = keptHeaders(headers);
    this.encoding = encoding;
  }

  receive(chunk: Uint8Array): void {
    this.firstByteMs ??= monotonicMs();
    this.received.add(chunk);
  }

  /** The response is whole. */
  end(): void {
    this.endedMs ??= monotonicMs();
  }

  /** The connection broke, or nobody wanted the rest. */
  breakOff(): void {
    if (this.endedMs !== undefined) return;
    this.isBroken = true;
    this.end();
  }

  /** What it asks for. */
  toCall(): ModelCall {
    return (this.call ??= this.readCall());
  }

  private readCall(): ModelCall {
    const { method, path, step } = this.options;
    const call = { method, path: withoutKeys(path), step };
    const text = this.sent.isCut ? '' : (this.sent.text(undefined) ?? '');
    const request = tryParseJson(text);
    if (isJsonObject(request)) return { ...call, request, isModelCall: isModelCall(method, path, request) };
    // Too long, packed, or in a form of its own: it must not look as if nothing was asked.
    const isUnseen = this.sent.isCut || (request === undefined && text !== '');
    return { ...call, isModelCall: isUnseen && mayBeModelCall(method, path) };
  }

  get hasEnded(): boolean {
    return this.endedMs !== undefined;
  }

  /** Undefined: it is not a model call. */
  toModelExchange(): Exchange | undefined {
    const call = this.toCall();
    return call.isModelCall ? this.exchangeOf(call) : undefined;
  }

  /** Undefined: it is none. Nothing of a model call is read for this. */
  toOtherCall(): OtherCalls | undefined {
    const { method, path } = this.options;
    const [plain = ''] = path.split('?', 1);
    return kindOfOtherCall(method, plain) === undefined ? undefined : readOtherCall(this.toExchange());
  }

  /** Undefined: it is a model call that Assay reads, or none at all. */
  toUnread(): UnreadCall | undefined {
    const { method, path } = this.options;
    return this.toCall().isModelCall ? undefined : unreadModelCall(method, path, this.sent.text(undefined));
  }

  /** One that is still open is broken: nobody waits for its end. */
  toExchange(): Exchange {
    return this.exchangeOf(this.toCall());
  }

  private exchangeOf({ method, path, step, request }: ModelCall): Exchange {
    const { seq } = this.options;
    const text = this.received.text(this.encoding, this.headers['content-type']);
    const response = isStream(this.headers) ? undefined : tryParseJson(text ?? '');
    const isBroken =
      this.isBroken ||
      this.endedMs === undefined ||
      this.received.isCut ||
      this.sent.isCut ||
      text === undefined;
    return {
      seq,
      step,
      started_ms: this.startedMs,
      ended_ms: this.endedMs ?? monotonicMs(),
      first_byte_ms: this.firstByteMs,
      method,
      path,
      ...(request === undefined ? {} : { request }),
      status: this.status,
      response_headers: this.headers,
      ...(response === undefined ? { response_text: text ?? '' } : { response }),
      ...(isBroken ? { aborted: true } : {}),
      ...(this.received.isCut || text === undefined ? { is_cut: true } : {}),
    };
  }
}

function isStream(headers: Readonly<Record<string, string>>): boolean {
  return /event-?stream/i.test(headers['content-type'] ?? '');
}

const SECRET_HEADER = /cookie|auth|key|token|secret/;

function keptHeaders(headers: Iterable<readonly [string, string]>): Readonly<Record<string, string>> {
  const kept: JsonObject = {};
  for (const [name, value] of headers) {
    const key = name.toLowerCase();
    if (!SECRET_HEADER.test(key)) setOwn(kept, key, value);
  }
  return kept as Readonly<Record<string, string>>;
}

/** Gemini takes its key in the query. */
function withoutKeys(path: string): string {
  const [address = '', query] = path.split(/\?(.*)/s, 2);
  if (query === undefined) return address;
  const kept = query
    .split('&')
    .filter((part) => !/^[^=]*(?:key|token|secret|sig|auth|code|pass)/i.test(part));
  return kept.length === 0 ? address : `${address}?${kept.join('&')}`;
}
