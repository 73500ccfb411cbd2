import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2';
import { isCounted, mayBeModelCall } from '../wire/recognise-model-call.ts';
import type { CallDecision } from './before-call.ts';
import { noteUnread } from './note-unread.ts';
import type { Observation, Whose } from './observation.ts';
import type { OpenExchange } from './open-exchange.ts';
import { overrideMethod, type AnyMethod } from './override-method.ts';
import { isClaimedByOther } from './watch-connections.ts';

/**
 * Watches requests over HTTP/2, which the SDK of AWS makes. As with HTTP/1.1, nothing is read that the agent does not read. To be
 * called when the first connection is opened: before, it would cost every run what few need.
 */
/** The class of sessions is not exported: one that is connected to nothing leads to it. */
export function watchHttp2(whose: Whose): () => void {
  const http2 = process.getBuiltinModule('node:http2');
  const { Duplex } = process.getBuiltinModule('node:stream');
  const nowhere = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const session = http2.connect('http://localhost', { createConnection: () => nowhere });
  session.on('error', () => {});
  const sessions = Object.getPrototypeOf(session) as Record<'request', AnyMethod>;
  session.destroy();
  return overrideMethod(
    sessions,
    'request',
    (original) =>
      function (this: ClientHttp2Session, ...args) {
        const stream = original.apply(this, args) as ClientHttp2Stream;
        begin(this, stream, { headers: (args[0] ?? {}) as OutgoingHttpHeaders, whose });
        return stream;
      },
  );
}

interface BegunRequest {
  readonly headers: OutgoingHttpHeaders;
  readonly whose: Whose;
}

function begin(
  session: ClientHttp2Session,
  stream: ClientHttp2Stream,
  { headers, whose }: BegunRequest,
): void {
  // undici tells of its requests itself.
  if (!session.connecting && isClaimedByOther(session.socket.localPort)) return;
  const method = String(headers[':method'] ?? 'GET');
  const path = String(headers[':path'] ?? '/');
  if (!isCounted(method, path)) {
    watchSent(stream, (body) => noteUnread({ method, path, body }, whose));
    return;
  }
  const isModel = mayBeModelCall(method, path);
  const observation = whose(isModel);
  if (observation === undefined) return;
  const exchange = observation.add(method, path);
  watchReceived(stream, exchange);
  if (!isModel || observation.beforeCall === undefined) watchSent(stream, undefined, exchange);
  else holdSent(stream, exchange, observation);
}

type SendMethods = Record<'write' | 'end', AnyMethod>;

/** `first`: told what is sent first, which may be nothing. */
function watchSent(
  stream: ClientHttp2Stream,
  first?: (body: unknown) => void,
  exchange?: OpenExchange,
): void {
  let isFirst = true;
  for (const name of ['write', 'end'] as const)
    overrideMethod(
      stream as unknown as SendMethods,
      name,
      (original) =>
        function (this: ClientHttp2Stream, ...args) {
          if (isFirst) first?.(typeof args[0] === 'function' ? undefined : args[0]);
          isFirst = false;
          const bytes = bytesOf(args);
          if (bytes !== undefined) exchange?.send(bytes);
          return original.apply(this, args);
        },
    );
}

/** The body waits until somebody has decided about it. The server has seen the headers by then. */
function holdSent(stream: ClientHttp2Stream, exchange: OpenExchange, observation: Observation): void {
  const { end } = stream;
  const pieces: Uint8Array[] = [];
  const hold = (args: readonly unknown[]): void => {
    const bytes = bytesOf(args);
    if (bytes === undefined) return;
    pieces.push(bytes);
    exchange.send(bytes);
  };
  const methods = stream as unknown as SendMethods;
  methods.write = (...args) => {
    hold(args);
    for (const done of args) if (typeof done === 'function') process.nextTick(done);
    return true;
  };
  methods.end = (...args) => {
    hold(args);
    void observation.decide(exchange).then((decision) => {
      const isPassed =
        decision.do === 'forward' && decision.request === undefined && decision.respond === undefined;
      if (isPassed) (end as AnyMethod).call(stream, Buffer.concat(pieces));
      else if (decision.do !== 'fail' || decision.how === 'reset')
        stream.destroy(errorOf(decision, observation));
    });
    return stream;
  };
}

function errorOf(decision: CallDecision, observation: Observation): Error {
  if (decision.do === 'fail') return Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  if (decision.do === 'refuse') return new Error(decision.message);
  // Otherwise nobody would know that nothing was tested.
  observation.refuse({ do: 'refuse', kind: 'config', message: UNCHANGEABLE });
  return new Error(UNCHANGEABLE);
}

const UNCHANGEABLE =
  'Assay cannot answer or change a request over HTTP/2: let the agent use HTTP/1.1 (with the SDK of AWS: `requestHandler: new NodeHttpHandler()`)';

function watchReceived(stream: ClientHttp2Stream, exchange: OpenExchange): void {
  stream.once('response', (headers: IncomingHttpHeaders & { readonly ':status'?: number }) => {
    const texts = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    );
    exchange.respond(Number(headers[':status'] ?? 0), texts, headers['content-encoding']);
  });
  overrideMethod(
    stream as unknown as Record<'push', AnyMethod>,
    'push',
    (original) =>
      function (this: ClientHttp2Stream, ...args) {
        const [chunk] = args;
        if (chunk instanceof Uint8Array) exchange.receive(chunk);
        else if (chunk === null && (stream.rstCode ?? 0) === 0) exchange.end();
        return original.apply(this, args);
      },
  );
  stream.once('close', () => exchange.breakOff());
}

function bytesOf([chunk, encoding]: readonly unknown[]): Uint8Array | undefined {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk !== 'string') return undefined;
  return Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8');
}
