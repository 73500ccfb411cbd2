import { answerFetch } from './answer-fetch.ts';
import { FORWARD, type CallDecision } from './before-call.ts';
import { bufferBody, copyBody, type Fetch, type FetchArguments } from './fetch-body.ts';
import { mayBeModelCall } from '../wire/recognise-model-call.ts';
import type { Observation } from './observation.ts';
import { watchResponse } from './watch-response.ts';
import { expectFetch } from './watch-undici.ts';

/** Watches `fetch` until the function that is returned is called. */
export function watchFetch(whose: () => Observation | undefined): () => void {
  const before = globalThis.fetch;
  let isOn = true;
  const watched: Fetch = function fetch(...args) {
    const address = isOn ? modelAddress(args) : undefined;
    if (address === undefined) return before(...args);
    const observation = whose();
    return observation === undefined
      ? expectFetch(address.url, () => before(...args))
      : watchCall(before, { args, address, observation });
  };
  globalThis.fetch = watched;
  return () => {
    isOn = false;
    // Somebody may have wrapped it: then it stays, and does nothing.
    if (globalThis.fetch === watched) globalThis.fetch = before;
  };
}

interface ModelAddress {
  readonly method: string;
  readonly url: URL;
}

/** Undefined when the call cannot be one to a model, which is seen without reading anything of it. */
function modelAddress([input, init]: FetchArguments): ModelAddress | undefined {
  const request = input instanceof Request ? input : undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const address = request?.url ?? String(input);
  if (!mayBeModelCall(method, address) || !URL.canParse(address)) return undefined;
  return { method, url: new URL(address) };
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
    return watchResponse(await perform(fetch, { sent, url, decision }), exchange);
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
}

function perform(fetch: Fetch, { sent, url, decision }: DecidedCall): Promise<Response> | Response {
  if (decision.do !== 'forward') return answerFetch(decision, url);
  return expectFetch(url, () => fetch(...sent));
}
