import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import { printJson } from '../../base/model/print-json.ts';
import { answerOf, type AnsweredCall, type CallDecision } from './before-call.ts';
import { isCounted } from '../wire/recognise-model-call.ts';
import { unreadModelCall } from '../wire/unread-model-call.ts';
import { KeptBody } from './kept-body.ts';
import type { Observation } from './observation.ts';
import type { OpenExchange } from './open-exchange.ts';
import { watchIncoming } from './watch-incoming.ts';

export interface RelayedCall {
  /** Undefined: nobody is watched, it is only passed on. */
  readonly observation: Observation | undefined;
  /** Where it goes, without the host. */
  readonly path: string;
  /** Begins the request to the real server. */
  send(headers: OutgoingHttpHeaders): ClientRequest;
}

/** Passes a request on to the real server and its response back, both as they come, and keeps a copy of a model call. */
export function relayCall(incoming: IncomingMessage, outgoing: ServerResponse, call: RelayedCall): void {
  const { observation, path } = call;
  const { method = 'GET' } = incoming;
  // All that comes here is meant for a model API.
  const isTaken = isCounted(method, path) || observation?.takesAllRequests === true;
  if (observation === undefined || !isTaken) {
    if (observation !== undefined) noteOther(incoming, path, observation);
    forward(incoming, outgoing, { call, exchange: undefined });
    return;
  }
  const exchange = observation.add(method, path);
  outgoing.once('close', () => exchange.breakOff());
  incoming.on('data', (chunk: Buffer) => exchange.send(chunk));
  if (observation.beforeCall === undefined) forward(incoming, outgoing, { call, exchange });
  else void decide(incoming, outgoing, { call, exchange, observation });
}

/** A request that is not a model call, or one of an API that Assay cannot read. */
function noteOther(incoming: IncomingMessage, path: string, observation: Observation): void {
  const { method = 'GET' } = incoming;
  const body = new KeptBody();
  incoming.on('data', (chunk: Buffer) => body.add(chunk));
  incoming.once('end', () => {
    const text = body.isCut ? undefined : body.text(undefined);
    const call = unreadModelCall(method, path, text);
    if (call !== undefined) observation.noteUnread(call);
  });
}

interface Relaying {
  readonly call: RelayedCall;
  readonly exchange: OpenExchange | undefined;
}

async function decide(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {
    observation,
    ...relaying
  }: Relaying & { readonly observation: Observation; readonly exchange: OpenExchange },
): Promise<void> {
  const { exchange } = relaying;
  try {
    const body: Buffer[] = [];
    for await (const chunk of incoming) body.push(chunk as Buffer);
    const decision = await observation.decide(exchange);
    if (decision.do === 'forward') {
      const changed = decision.request === undefined ? undefined : printJson(decision.request);
      const sent = changed === undefined ? Buffer.concat(body) : Buffer.from(changed);
      const { respond } = decision;
      forward(incoming, outgoing, { ...relaying, body: sent, isChanged: changed !== undefined, respond });
    } else if (decision.do === 'fail') {
      if (decision.how === 'reset') incoming.socket.destroy();
    } else await answer(outgoing, decision, exchange);
  } catch {
    outgoing.destroy();
  }
}

async function answer(
  outgoing: ServerResponse,
  decision: AnsweredCall,
  exchange: OpenExchange,
): Promise<void> {
  const { status, headers, body, isBroken = false } = answerOf(decision);
  exchange.respond(status, Object.entries(headers));
  outgoing.writeHead(status, headers);
  for await (const chunk of body) {
    exchange.receive(chunk);
    // What was written must arrive, also when the connection breaks afterwards.
    if (isBroken) await new Promise<void>((resolve) => outgoing.write(chunk, () => resolve()));
    else outgoing.write(chunk);
  }
  if (isBroken) {
    exchange.breakOff();
    outgoing.destroy();
    return;
  }
  exchange.end();
  outgoing.end();
}

interface Forwarding {
  /** What was read of the request already. */
  readonly body?: Buffer;
  /** The body is not what the agent sent. */
  readonly isChanged?: boolean;
  readonly respond?: Respond | undefined;
}

type Respond = Extract<CallDecision, { readonly do: 'forward' }>['respond'];

/** Waits for the whole response, and gives the agent another one. */
async function respondChanged(
  response: IncomingMessage,
  outgoing: ServerResponse,
  { exchange, respond }: { readonly exchange: OpenExchange; readonly respond: NonNullable<Respond> },
): Promise<void> {
  const whole = exchange.whole!;
  try {
    watchIncoming(response, whole);
    await new Promise((resolve) => response.once('close', resolve).resume());
    await answer(outgoing, { do: 'answer', answer: await respond(whole.toExchange()) }, exchange);
  } catch {
    outgoing.destroy();
  }
}

function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { call, exchange, body, isChanged = false, respond }: Relaying & Forwarding,
): void {
  const headers = endToEnd(incoming.headers);
  if (isChanged) headers['content-length'] = body!.byteLength;
  // Whoever changes the response must be able to read it.
  if (respond !== undefined) headers['accept-encoding'] = 'identity';
  const upstream = call.send(headers);
  // What is sent in small pieces arrives in small pieces.
  upstream.setNoDelay(true);
  upstream.on('response', (response) => {
    if (respond !== undefined) {
      void respondChanged(response, outgoing, { exchange: exchange!, respond });
      return;
    }
    if (exchange !== undefined) watchIncoming(response, exchange);
    outgoing.writeHead(response.statusCode ?? 502, response.statusMessage, endToEnd(response.headers));
    outgoing.flushHeaders();
    response.pipe(outgoing);
    response.once('close', () => {
      if (!response.complete) outgoing.destroy();
    });
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (outgoing.headersSent) outgoing.destroy();
    else fail(outgoing, error);
  });
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) upstream.destroy();
  });
  if (body === undefined) incoming.pipe(upstream);
  else upstream.end(body);
}

/** The agent's SDK retries this as it would retry a connection that failed. */
function fail(outgoing: ServerResponse, { message, code }: NodeJS.ErrnoException): void {
  const text = `Assay could not reach the model API: ${message || code || 'the connection failed'}`;
  outgoing.writeHead(502, { 'content-type': 'application/json' });
  outgoing.end(JSON.stringify({ type: 'error', error: { type: 'api_error', code, message: text } }));
}

const HOP_BY_HOP = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers that are meant for the other end, not for the connection. */
function endToEnd(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/\s*,\s*/);
  const kept: OutgoingHttpHeaders = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || named.includes(name)) continue;
    kept[name] = value;
  }
  return kept;
}
