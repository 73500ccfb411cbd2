import { channel } from 'node:diagnostics_channel';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { divertRequest } from './divert-request.ts';
import { isCounted, mayBeApiRequest, mayBeModelCall } from '../wire/recognise-model-call.ts';
import { noteUnread } from './note-unread.ts';
import type { Whose } from './observation.ts';
import type { OpenExchange } from './open-exchange.ts';
import { overrideMethod, type AnyMethod } from './override-method.ts';
import { ignoreRequest, seenRequests } from './seen-requests.ts';
import { claimConnection } from './watch-connections.ts';
import { watchIncoming } from './watch-incoming.ts';

/**
 * Watches the clients of `node:http` and `node:https`, once somebody loads them: loading them takes as long as a hundred fast tests.
 * What is sent is seen in `write` and `end` of a request, what comes in `push` of a response. So nothing is read that the agent does not read.
 */
export function watchHttp(whose: Whose): () => void {
  const watch: HttpWatch = { whose, unpatch: undefined };
  const begun = channel('http.client.request.start');
  const answered = channel('http.client.response.finish');
  begun.subscribe(onBegun);
  answered.subscribe(onAnswered);
  watches = watch;
  modulesSeen = -1;
  lookForHttp();
  return () => {
    begun.unsubscribe(onBegun);
    answered.unsubscribe(onAnswered);
    watch.unpatch?.();
    watches = undefined;
  };
}

interface HttpWatch {
  readonly whose: Whose;
  unpatch: (() => void) | undefined;
}

let watches: HttpWatch | undefined;
let modulesSeen = -1;
/** Grows when Node loads one of its own modules. */
const { moduleLoadList = [] } = process as unknown as { readonly moduleLoadList?: readonly string[] };

/** To be called before an agent is: it may have loaded `node:http` by now. */
export function lookForHttp(): void {
  if (watches === undefined || watches.unpatch !== undefined) return;
  if (moduleLoadList.length === modulesSeen) return;
  modulesSeen = moduleLoadList.length;
  if (moduleLoadList.includes('NativeModule _http_client')) watches.unpatch = patch(watches.whose);
}

function patch(whose: Whose): () => void {
  const http = process.getBuiltinModule('node:http');
  const requests = http.ClientRequest.prototype as unknown as Record<'write' | 'end', AnyMethod>;
  const unpatches = (['write', 'end'] as const).map((name) =>
    overrideMethod(
      requests,
      name,
      (original) =>
        function (this: ClientRequest, ...args) {
          const exchange = begin(this, whose, args[0]);
          if (exchange !== undefined) copy(args, exchange);
          return original.apply(this, args);
        },
    ),
  );
  unpatches.push(
    overrideMethod(
      http.ClientRequest.prototype as unknown as Record<'onSocket', AnyMethod>,
      'onSocket',
      (original) =>
        function (this: ClientRequest, ...args) {
          if (typeof args[0] === 'object' && args[0] !== null) claimConnection(args[0]);
          return original.apply(this, args);
        },
    ),
  );
  const agents = http.Agent.prototype as unknown as Record<'addRequest', AnyMethod>;
  unpatches.push(
    overrideMethod(
      agents,
      'addRequest',
      (original) =>
        function (this: Agent, ...args) {
          const [request, options] = args as [ClientRequest, object];
          const isModel = mayBeModelCall(request.method, request.path);
          const observation = isCandidate(request) ? whose(isModel) : undefined;
          const isTaken = isModel || observation?.takesAllRequests === true;
          if (observation?.beforeCall === undefined || !isTaken) return original.apply(this, args);
          return divertRequest(ignoreRequest(request), { ...options, agent: this }, observation);
        },
    ),
  );
  return () => unpatches.forEach((unpatch) => unpatch());
}

function isCandidate(request: ClientRequest): boolean {
  const { method, path } = request;
  return !seenRequests.has(request) && (mayBeModelCall(method, path) || mayBeApiRequest(method, path));
}

/** `body`: what is sent first, where it is known. */
function begin(request: ClientRequest, whose: Whose, body?: unknown): OpenExchange | undefined {
  if (seenRequests.has(request)) return seenRequests.get(request);
  const { method } = request;
  const path = request.path.replace(/^https?:\/\/[^/]*/, '');
  const isModel = mayBeModelCall(method, path);
  const exchange = isCounted(method, path) ? whose(isModel)?.add(method, path) : undefined;
  if (!isModel) noteUnread({ method, path, body }, whose);
  seenRequests.set(request, exchange);
  if (exchange !== undefined) request.once('close', () => exchange.breakOff());
  return exchange;
}

function copy([chunk, encoding]: readonly unknown[], exchange: OpenExchange): void {
  if (chunk instanceof Uint8Array) exchange.send(chunk);
  else if (typeof chunk === 'string')
    exchange.send(Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'));
}

/** A request that was sent before anybody watched: its agent loaded `node:http` after it was called. */
function onBegun(message: unknown): void {
  const { request } = message as { readonly request: ClientRequest };
  if (seenRequests.has(request) || watches === undefined) return;
  begin(request, watches.whose)?.loseRequest();
  lookForHttp();
}

function onAnswered(message: unknown): void {
  const { request, response } = message as {
    readonly request: ClientRequest;
    readonly response: IncomingMessage;
  };
  const exchange = seenRequests.get(request);
  if (exchange !== undefined) watchIncoming(response, exchange);
}
