import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { overrideMethod, type AnyMethod } from './override-method.ts';

/*
 * Connections that agents open and that no watched HTTP client uses: TLS by hand. Nobody can read what goes through
 * them, but that something did is known from their bytes. Plain TCP that the agent reads itself is a database or a cache.
 */

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  isClosed: boolean;
}

const connections = new Set<Connection>();
const claimed = new WeakSet<object>();
/** Those of HTTP/2 whose requests are watched. */
const sessions = new WeakSet<object>();

/** An HTTP client whose requests are watched uses this connection. */
export function claimConnection(socket: object): void {
  claimed.add(socket);
}

/** Whether a client claimed the connection that is not HTTP/2 by itself. */
export function isClaimedByOther(localPort: number | undefined): boolean {
  return [...connections].some(
    ({ socket }) =>
      localPort !== undefined &&
      socket.localPort === localPort &&
      claimed.has(socket) &&
      !sessions.has(socket),
  );
}

/** `isAgents`: whether the code of an agent runs right now. `watchSessions`: from now on requests over HTTP/2 are seen. */
export function watchConnections(isAgents: () => boolean, watchSessions: () => void): () => void {
  const net = process.getBuiltinModule('node:net');
  const unpatch = overrideMethod(
    net.Socket.prototype as unknown as Record<'connect', AnyMethod>,
    'connect',
    (original) =>
      function (this: Socket, ...args) {
        if (isAgents()) add(this, args);
        // Assay itself opens none of these.
        if (isOfSession()) {
          watchSessions();
          claimed.add(this);
          sessions.add(this);
        }
        return original.apply(this, args);
      },
  );
  const undici = channel('undici:client:connected');
  const onConnected = (message: unknown): void =>
    claimConnection((message as { readonly socket: object }).socket);
  undici.subscribe(onConnected);
  return () => {
    unpatch();
    undici.unsubscribe(onConnected);
  };
}

/** Whether `http2.connect` opens the connection that is being opened: only its caller knows. */
function isOfSession(): boolean {
  const { stackTraceLimit, prepareStackTrace } = Error;
  Error.stackTraceLimit = 10;
  delete (Error as Partial<ErrorConstructor>).prepareStackTrace;
  const { stack } = new Error();
  Error.stackTraceLimit = stackTraceLimit;
  if (prepareStackTrace !== undefined) Error.prepareStackTrace = prepareStackTrace;
  return stack?.includes('node:internal/http2/core') === true;
}

function add(socket: Socket, args: readonly unknown[]): void {
  const [first, second] = (Array.isArray(args[0]) ? args[0] : args) as readonly unknown[];
  const options = (typeof first === 'object' ? first : { port: first, host: second }) as {
    readonly host?: string;
    readonly port?: number | string;
    readonly path?: string;
  };
  const address = options.path ?? `${options.host ?? 'localhost'}:${options.port}`;
  const connection: Connection = { socket, address, isClosed: false };
  connections.add(connection);
  socket.once('close', () => (connection.isClosed = true));
}

/** How much went through each connection so far. Undefined: there is none. */
export type Traffic = ReadonlyMap<Connection, number> | undefined;

export function trafficNow(): Traffic {
  if (connections.size === 0) return undefined;
  return new Map([...connections].map((connection) => [connection, bytesOf(connection)]));
}

/** Connections that nobody could read and that something went through since then. */
export function usedSince(before: Traffic): readonly string[] {
  if (connections.size === 0) return [];
  return [...connections]
    .filter((each) => isUnread(each) && bytesOf(each) > (before?.get(each) ?? 0))
    .map(({ address }) => address);
}

/** No attempt is under way: what is closed is forgotten. */
export function forgetClosed(): void {
  for (const connection of connections)
    if (connection.isClosed || claimed.has(connection.socket)) connections.delete(connection);
}

function bytesOf({ socket }: Connection): number {
  return (socket.bytesRead ?? 0) + (socket.bytesWritten ?? 0);
}

/** TLS, or bytes that came and that no JavaScript ever read: Node's HTTP/2 takes them from the system itself. */
function isUnread({ socket }: Connection): boolean {
  if (claimed.has(socket)) return false;
  const isEncrypted = (socket as { readonly encrypted?: boolean }).encrypted === true;
  return isEncrypted || (socket.readableFlowing === null && socket.bytesRead > 0);
}
