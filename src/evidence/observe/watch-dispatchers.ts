import { createRequire } from 'node:module';
import { printJson } from '../../base/model/print-json.ts';
import { isCounted, mayBeApiRequest, mayBeModelCall } from '../wire/recognise-model-call.ts';
import { openPipe } from './divert-request.ts';
import { Observation, type Whose } from './observation.ts';
import type { OpenExchange } from './open-exchange.ts';
import { overrideMethod, type AnyMethod } from './override-method.ts';
import { isInsideFetch, refusalOfLate, requestNow, withRequest, type KnownRequest } from './watch-undici.ts';

/*
 * Requests that programs make with undici itself: with its `fetch` and `request`, and with agents, pools and clients of theirs. They
 * pass through `dispatch`, where somebody can decide about them before they are sent. `watch-undici.ts` sees what comes of them.
 */

interface DispatchOptions {
  readonly origin?: string | URL | undefined;
  readonly path: string;
  readonly method?: string | undefined;
  readonly body?: unknown;
  readonly headers?: unknown;
}

interface Dispatcher {
  dispatch(options: DispatchOptions, handler: object): boolean;
}

type AgentClass = new (options: object) => Dispatcher;

const { cache } = createRequire(import.meta.url);
const BASE = /[\\/]undici[\\/]lib[\\/](?:dispatcher[\\/])?dispatcher-base\.js$/;
const watched = new Set<object>();

/** To be called before an agent is whose calls somebody decides about: it may have loaded undici by now. */
export function lookForDispatchers(whose: Whose): void {
  for (const path of Object.keys(cache)) {
    if (!BASE.test(path)) continue;
    const base = cache[path]!.exports as { readonly prototype: object };
    const agent = cache[path.replace('dispatcher-base.js', 'agent.js')]?.exports as AgentClass | undefined;
    if (agent === undefined || watched.has(base)) continue;
    watched.add(base);
    overrideMethod(base.prototype as Record<'dispatch', AnyMethod>, 'dispatch', (original) =>
      watchDispatch(original, agent, whose),
    );
  }
}

/** Requests on their way through an agent, a pool and a client, by their options. */
const known = new WeakMap<object, KnownRequest>();

function watchDispatch(original: AnyMethod, agent: AgentClass, whose: Whose): AnyMethod {
  return function (this: unknown, ...args) {
    const [options, handler] = args as [DispatchOptions, object];
    const pass = (request: KnownRequest | undefined, sent = options): boolean =>
      withRequest(request, () => original.call(this, sent, handler) as boolean);
    const before = known.get(options) ?? requestNow();
    if (before !== undefined || isInsideFetch()) return pass(before);
    const { path, method = 'GET' } = options;
    if (typeof path !== 'string') return pass(undefined);
    const isModel = mayBeModelCall(method, path);
    if (!(isModel || mayBeApiRequest(method, path))) return pass(undefined);
    const observation = whose(isModel);
    if (observation?.beforeCall === undefined || !(isModel || observation.takesAllRequests)) {
      const exchange = isCounted(method, path) ? observation?.add(method, path) : undefined;
      known.set(options, { exchange, isSent: false });
      return pass(known.get(options));
    }
    const exchange = observation.add(method, path);
    const send = (sent: DispatchOptions, dispatch: (sent: DispatchOptions) => boolean): void => {
      const request = { exchange, isSent: true };
      known.set(sent, request);
      withRequest(request, () => dispatch(sent));
    };
    void decide({ options, exchange, observation }).then(({ body, headers, ending }) => {
      const sent = { ...options, body, ...(headers !== undefined && { headers }) };
      // A pool and a client know their server.
      const { origin = 'http://localhost' } = options;
      if (ending === undefined) send(sent, (each) => pass(known.get(each), each));
      else
        send({ ...sent, origin }, (each) =>
          new agent({ connect: connectTo(ending) }).dispatch(each, handler),
        );
    });
    return true;
  };
}

interface Decided {
  readonly options: DispatchOptions;
  readonly exchange: OpenExchange;
  readonly observation: Observation;
}

interface Decision {
  readonly body: string | Uint8Array | null;
  readonly headers?: unknown;
  /** Who answers instead of the server. Undefined: it is sent. */
  readonly ending?: Observation;
}

async function decide({ options, exchange, observation }: Decided): Promise<Decision> {
  const body = await readBody(options.body);
  if (body !== null) exchange.send(body);
  const decision = await observation.decide(exchange);
  const changed = decision.do === 'forward' ? decision.request : undefined;
  if (changed !== undefined) return { body: printJson(changed), headers: withoutLength(options.headers) };
  if (decision.do === 'forward' && decision.respond === undefined) return { body };
  const answer = decision.do === 'forward' ? refusalOfLate(observation) : decision;
  return { body, ending: new Observation({ beforeCall: () => answer, takesAllRequests: true }) };
}

async function readBody(body: unknown): Promise<string | Uint8Array | null> {
  if (body === undefined || body === null) return null;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  // As undici itself reads forms, blobs, streams and lists of pieces.
  const isPieces = typeof body === 'object' && !(body instanceof Blob) && !(body instanceof FormData);
  if (!isPieces || !(Symbol.asyncIterator in body || Symbol.iterator in body))
    return new Uint8Array(await new Response(body as Blob).arrayBuffer());
  const chunks: Uint8Array[] = [];
  for await (const chunk of body as AsyncIterable<Uint8Array | string>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Undici has them as a list of names and values, or as an object. */
function withoutLength(headers: unknown): unknown {
  const isLength = (name: unknown): boolean => String(name).toLowerCase() === 'content-length';
  if (Array.isArray(headers))
    return headers.filter((_each, index) => !isLength(headers[index - (index % 2)] as unknown));
  return Object.fromEntries(Object.entries(headers ?? {}).filter(([name]) => !isLength(name)));
}

type Connect = (options: object, done: (error: null, socket: object) => void) => void;

function connectTo(observation: Observation): Connect {
  // A connection that is there at once is one that undici does not expect.
  return (_options, done) => process.nextTick(done, null, openPipe(observation));
}
