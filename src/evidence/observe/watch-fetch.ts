import { answerFetch, failFetch } from './answer-fetch.ts';
import { FORWARD, type CallDecision } from './before-call.ts';
import { bufferBody, copyBody, replaceBody, type Fetch, type FetchArguments } from './fetch-body.ts';
import { mayBeApiRequest, mayBeModelCall } from '../wire/recognise-model-call.ts';
import type { Observation, Whose } from './observation.ts';
import type { Exchange } from '../exchange.ts';
import type { OpenExchange } from './open-exchange.ts';
import { noteUnreadFetch } from './note-unread.ts';
import { watchResponse } from './watch-response.ts';
import { expectFetch, isInsideFetch } from './watch-undici.ts';

const watchers = new WeakMap<Fetch, Fetch>();

/**
 * Puts a function before `fetch`, until the function that is returned is called. Whoever kept it goes on calling it: it asks anew
 * whose each call is. Undefined: it is there already.
 */
export function watchFetch(whose: Whose): (() => void) | undefined {
  const before = globalThis.fetch;
  const watched = watchers.get(before) ?? createWatcher(before, whose);
  if (watched === before) return undefined;
  // One for each `fetch`, and none before itself.
  watchers.set(before, watched).set(watched, watched);
  globalThis.fetch = watched;
  return () => {
    // Somebody may have wrapped it: then it stays.
    if (globalThis.fetch === watched) globalThis.fetch = before;
  };
}

function createWatcher(before: Fetch, whose: Whose): Fetch {
  return function fetch(...args) {
    // Whoever replaced `fetch` may call one that watches too.
    if (isInsideFetch()) return before(...args);
    const address = modelAddress(args);
    if (address?.isModel !== true) noteUnreadFetch(args, whose);
    if (address === undefined) return before(...args);
    const observation = whose(address.isModel);
    if (!address.isModel && observation?.takesAllRequests !== true) return before(...args);
    return observation === undefined
      ? expectFetch(address.url, () => before(...args))
      : watchCall(before, { args, address, observation });
  };
}

interface ModelAddress {
  readonly method: string;
  readonly url: URL;
  /** Whether it may be a model call, not another request to a model API. */
  readonly isModel: boolean;
}

/** Undefined when the call cannot be one to a model, which is seen without reading anything of it. */
function modelAddress([input, init]: FetchArguments): ModelAddress | undefined {
  const request = input instanceof Request ? input : undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const address = request?.url ?? String(input);
  const isModel = mayBeModelCall(method, address);
  if (!(isModel || mayBeApiRequest(method, address)) || !URL.canParse(address)) return undefined;
  return { method, url: new URL(address), isModel };
}

/** The same for requests of Assay's own, whose observation is known. */
export function observeFetch(send: Fetch, observation: Observation): Fetch {
  return (...args) => {
    const address = modelAddress(args);
    return address === undefined ? send(...args) : watchCall(send, { args, address, observation });
  };
}

interface WatchedCall {
  readonly args: FetchArguments;
  readonly address: ModelAddress;
  readonly observation: Observation;
}

async function watchCall(fetch: Fetch, { args, address, observation }: WatchedCall): Promise<Response> {
  const { method, url } = address;
  const exchange = observation.add(method, url.pathname + url.search);
  try {
    const isDecided = observation.beforeCall !== undefined;
    const plain = toPlain(args);
    const sent = isDecided ? await bufferBody(plain, exchange) : copyBody(plain, exchange);
    const decision = isDecided ? await observation.decide(exchange) : FORWARD;
    return watchResponse(await perform(fetch, { sent, url, decision, exchange }), exchange);
  } catch (error) {
    exchange.breakOff();
    throw error;
  }
}

/** A request may also be given as the settings of another: then nothing of it can be replaced. */
function toPlain(args: FetchArguments): FetchArguments {
  const [input, init] = args;
  return init instanceof Request ? [new Request(input, init)] : args;
}

interface DecidedCall {
  readonly sent: FetchArguments;
  readonly url: URL;
  readonly decision: CallDecision;
  readonly exchange: OpenExchange;
}

function perform(fetch: Fetch, call: DecidedCall): Promise<Response> | Response {
  const { sent, url, decision, exchange } = call;
  switch (decision.do) {
    case 'answer':
    case 'refuse':
      return answerFetch(decision, url);
    case 'fail':
      return failFetch(decision.how, signalOf(sent));
    case 'forward': {
      const args = decision.request === undefined ? sent : replaceBody(sent, decision.request);
      const sending = expectFetch(url, () => fetch(...args));
      const { respond } = decision;
      if (respond === undefined) return sending;
      return sending.then(async (response) => {
        const whole = await readWhole(response, exchange.whole!);
        return answerFetch({ do: 'answer', answer: await respond(whole) }, url);
      });
    }
  }
}

async function readWhole(response: Response, exchange: OpenExchange): Promise<Exchange> {
  try {
    for await (const chunk of watchResponse(response, exchange).body ?? []) void chunk;
  } catch {
    // It broke off by itself: the exchange knows.
  }
  return exchange.toExchange();
}

function signalOf([input, init]: FetchArguments): AbortSignal | null | undefined {
  return init?.signal ?? (input instanceof Request ? input.signal : undefined);
}
