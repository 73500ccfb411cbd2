import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import type { CallDecision, Refusal } from './before-call.ts';
import { isCounted, mayBeApiRequest, mayBeModelCall } from '../wire/recognise-model-call.ts';
import { noteUnread } from './note-unread.ts';
import type { Observation, Whose } from './observation.ts';
import type { OpenExchange } from './open-exchange.ts';

/**
 * Requests of undici, which is behind `fetch` and which programs also use by itself. It tells when a request begins; the rest is seen
 * at the methods that it calls on the request. Sees a `fetch` too that somebody took hold of before Assay watched it.
 */
export function watchUndici(whose: Whose): () => void {
  const created = channel('undici:request:create');
  const onCreate = (message: unknown): void => {
    const { request } = message as { readonly request: UndiciRequest };
    const { method, path } = request;
    if (typeof path !== 'string') return;
    if (current !== undefined) {
      if (current.exchange !== undefined) watchRequest(request, current.exchange, current);
      return;
    }
    const isModel = mayBeModelCall(method, path);
    // A body that is an object was given to `fetch`, which is watched itself.
    if (
      !isModel &&
      (typeof request.body !== 'object' || request.body instanceof Uint8Array || request.body === null)
    )
      noteUnread({ method, path, body: request.body }, whose);
    if (!(isModel || mayBeApiRequest(method, path)) || isExpected(request)) return;
    const observation = whose(isModel);
    if (observation === undefined || !(isCounted(method, path) || observation.takesAllRequests)) return;
    const exchange = observation.add(method, path);
    watchRequest(request, exchange, { isSent: false });
    if (observation.beforeCall !== undefined) void refuseLate(request, exchange, observation);
  };
  created.subscribe(onCreate);
  return () => void created.unsubscribe(onCreate);
}

/** A request of undici whose exchange is known before it is made. Undefined: it is nobody's. */
export interface KnownRequest {
  readonly exchange: OpenExchange | undefined;
  /** The exchange has what is sent. */
  readonly isSent: boolean;
}

let current: KnownRequest | undefined;

/** Makes a request, if only in part: it may have to wait for a connection. */
export function withRequest<T>(request: KnownRequest | undefined, dispatch: () => T): T {
  const outer = current;
  current = request ?? outer;
  try {
    return dispatch();
  } finally {
    current = outer;
  }
}

/** The request that is being made right now. */
export function requestNow(): KnownRequest | undefined {
  return current;
}

/** What undici has of a request. No public interface: what is not there is not watched, and the exchange never ends. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly method: string;
  readonly path: string;
  body?: unknown;
  abort?: (error: Error) => void;
  /** Set before it is sent: it is never sent. */
  error?: Error;
  onHeaders?: (...args: unknown[]) => unknown;
  onData?: (...args: unknown[]) => unknown;
  onComplete?: (...args: unknown[]) => unknown;
  onError?: (...args: unknown[]) => unknown;
}

function watchRequest(
  request: UndiciRequest,
  exchange: OpenExchange,
  { isSent }: Pick<KnownRequest, 'isSent'>,
): void {
  const { body } = request;
  if (isSent) void body;
  else if (typeof body === 'string' || body instanceof Uint8Array) exchange.send(body);
  else if (typeof body !== 'object' || body === null || 'pipe' in body) exchange.loseRequest();
  else if (Symbol.asyncIterator in body)
    request.body = watchChunks(body as AsyncIterable<Uint8Array>, exchange);
  before(request, 'onHeaders', (status, raw) => {
    const headers = readHeaders(raw as readonly Uint8Array[]);
    exchange.respond(status as number, headers, new Map(headers).get('content-encoding'));
  });
  before(request, 'onData', (chunk) => exchange.receive(chunk as Uint8Array));
  before(request, 'onComplete', () => exchange.end());
  before(request, 'onError', () => exchange.breakOff());
}

/** It is on its way already: all that can be done is to end it. */
async function refuseLate(
  request: UndiciRequest,
  exchange: OpenExchange,
  observation: Observation,
): Promise<void> {
  const decision = await observation.decide(exchange);
  const isPassed = decision.do === 'forward' && decision.request === undefined;
  if (isPassed && decision.respond === undefined) return;
  const error = lateError(decision);
  // Otherwise the agent could take it for a failure of the connection, and nobody would know that nothing was tested.
  if (decision.do !== 'refuse' && !isReset(decision)) refusalOfLate(observation);
  if (typeof request.abort === 'function') request.abort(error);
  else request.error = error;
}

function isReset(decision: CallDecision): boolean {
  return decision.do === 'fail' && decision.how === 'reset';
}

function lateError(decision: CallDecision): Error {
  if (decision.do === 'refuse') return new Error(decision.message);
  if (isReset(decision)) return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new Error(LATE);
}

const LATE =
  'Assay cannot answer or change this request, which was made with undici itself: let the agent use fetch';

/** Ends the attempt: nothing can be done with the call that somebody decided. */
export function refusalOfLate(observation: Observation): Refusal {
  const refusal: Refusal = { do: 'refuse', kind: 'config', message: LATE };
  observation.refuse(refusal);
  return refusal;
}

type Method = 'onHeaders' | 'onData' | 'onComplete' | 'onError';

function before(request: UndiciRequest, name: Method, look: (...args: unknown[]) => void): void {
  const method = request[name];
  if (typeof method !== 'function') return;
  request[name] = function (this: UndiciRequest, ...args: unknown[]): unknown {
    look(...args);
    return method.apply(this, args);
  };
}

async function* watchChunks(
  body: AsyncIterable<Uint8Array>,
  exchange: OpenExchange,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    exchange.send(chunk);
    yield chunk;
  }
}

function readHeaders(raw: readonly Uint8Array[]): readonly (readonly [string, string])[] {
  const texts = raw.map((each) => Buffer.from(each).toString('latin1'));
  return texts.flatMap((name, index) =>
    index % 2 === 0 ? [[name.toLowerCase(), texts[index + 1] ?? ''] as const] : [],
  );
}

/** A call of a `fetch` that is watched, until its response begins. */
interface OpenFetch {
  /** Of the request that it makes first. */
  readonly address: string;
  isOver: boolean;
}

const open = new Set<OpenFetch>();
const inside = new AsyncLocalStorage<OpenFetch>();

/** Calls a `fetch` that is watched already, so that its requests are not seen twice: also those after redirects. */
export async function expectFetch(url: URL, fetch: () => Promise<Response>): Promise<Response> {
  const call = { address: url.origin + url.pathname + url.search, isOver: false };
  open.add(call);
  try {
    return await inside.run(call, fetch);
  } finally {
    call.isOver = true;
    open.delete(call);
  }
}

/** Whether what runs now was called by a `fetch` that is watched. */
export function isInsideFetch(): boolean {
  return inside.getStore()?.isOver === false;
}

/** A request that had to wait for a connection does not know any more who made it. */
function isExpected(request: UndiciRequest): boolean {
  if (isInsideFetch()) return true;
  const address = String(request.origin).replace(/\/$/, '') + request.path;
  for (const each of open) {
    if (each.address === address) return open.delete(each);
  }
  return false;
}
