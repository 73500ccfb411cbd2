import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerOf } from './before-call.ts';
import { mayBeModelCall } from '../wire/recognise-model-call.ts';
import { noteLateCall } from './late-calls.ts';
import { modelRoutes, unseenApis, upstreamPath, type ModelRoute } from './model-addresses.ts';
import type { Observation } from './observation.ts';
import { relayCall } from './relay-call.ts';
import { withoutProxies } from '../otel/switches.ts';
import { UpstreamConnections } from './upstream-connections.ts';

/** Stands between programs and model APIs, and keeps a copy of the model calls. It keeps no key: what is sent is passed on. */
export interface Proxy {
  /** A path of its own for a program, whose environment is `env`. */
  open(env: NodeJS.ProcessEnv, options?: ProxyPathOptions): ProxyPath;
  close(): Promise<void>;
}

interface ProxyPathOptions {
  /** Nothing is passed on: what nobody answers is refused. */
  readonly isOffline?: boolean;
}

export interface ProxyPath {
  /** What the environment of the program must hold beside what it holds. */
  readonly env: Readonly<Record<string, string>>;
  /** Whose calls come from now on. Undefined: they are passed on, and nothing is kept. */
  observe(observation: Observation | undefined): void;
  close(): void;
}

interface OpenPath {
  readonly routes: ReadonlyMap<string, ModelRoute>;
  readonly isOffline: boolean;
  observation: Observation | undefined;
  /** A step was sent to the program. */
  hasBegun: boolean;
}

/** On 127.0.0.1, at a port that is free. */
export async function startProxy(): Promise<Proxy> {
  const paths = new Map<string, OpenPath>();
  const upstream = new UpstreamConnections();
  const server = createServer((incoming, outgoing) => {
    const found = findRoute(paths, incoming);
    if (found === undefined) return refuse(incoming, outgoing);
    const { route, path, observation, isOffline } = found;
    if (isOffline && observation === undefined) return refuseOffline(incoming, outgoing);
    if (observation === undefined && found.hasBegun && mayBeModelCall(incoming.method ?? '', path))
      noteLateCall();
    relayCall(incoming, outgoing, {
      observation,
      path,
      send: (headers) => upstream.send(route.upstream, { method: incoming.method, path, headers }),
    });
  });
  server.on('upgrade', (_incoming, socket) => refuseUpgrade(socket));
  // Model calls may take longer than Node lets a request take; and a connection is not closed at the moment it is used again.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 600_000;
  await listen(server);
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    open(env, { isOffline = false } = {}) {
      const token = randomBytes(24).toString('base64url');
      const routes = modelRoutes(env);
      const unseen = unseenApis(env);
      const open: OpenPath = {
        routes: new Map(routes.map((route) => [segmentOf(route), route])),
        isOffline,
        observation: undefined,
        hasBegun: false,
      };
      paths.set(token, open);
      const base = `http://127.0.0.1:${port}/${token}`;
      return {
        env: { ...addressesFor(routes, base), ...withoutProxies(env) },
        observe: (observation) => {
          open.observation = observation;
          for (const name of unseen) observation?.noteStarted(() => name);
          open.hasBegun = true;
        },
        close: () => void paths.delete(token),
      };
    },
    close: () =>
      new Promise((resolve) => {
        paths.clear();
        upstream.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function segmentOf({ variable }: ModelRoute): string {
  return variable.toLowerCase();
}

/** The path is as it would be at the real server: some programs look at its end. */
function addressesFor(routes: readonly ModelRoute[], base: string): Record<string, string> {
  return Object.fromEntries(
    routes.map((route) => {
      const path = route.upstream.pathname === '/' ? '' : route.upstream.pathname;
      return [route.variable, `${base}/${segmentOf(route)}${path}${route.upstream.search}`];
    }),
  );
}

interface FoundRoute {
  readonly route: ModelRoute;
  /** At the real server. */
  readonly path: string;
  readonly observation: Observation | undefined;
  readonly isOffline: boolean;
  readonly hasBegun: boolean;
}

function findRoute(paths: ReadonlyMap<string, OpenPath>, incoming: IncomingMessage): FoundRoute | undefined {
  const [, token = '', segment = '', rest = ''] =
    /^\/([^/?]+)\/([^/?]+)(.*)$/s.exec(incoming.url ?? '') ?? [];
  const open = isFromHere(incoming) ? paths.get(token) : undefined;
  const route = open?.routes.get(segment);
  if (open === undefined || route === undefined) return undefined;
  const path = upstreamPath(route, rest.startsWith('/') ? rest : `/${rest}`);
  const { observation, isOffline, hasBegun } = open;
  return { route, path, observation, isOffline, hasBegun };
}

/** A call that no step of a test makes: before the first one, or after the last reply. */
function refuseOffline(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  const message = 'Assay replays cassettes, and no step of a test makes this call';
  const { status, headers, body } = answerOf({ do: 'refuse', kind: 'cassette', message });
  outgoing.writeHead(status, headers).end(Buffer.concat([...(body as Iterable<Uint8Array>)]));
}

function refuse(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
}

/** A page in a browser cannot name itself so. */
function isFromHere({ socket, headers: { host = '' } }: IncomingMessage): boolean {
  const { remoteAddress = '', localPort } = socket;
  const names = [`127.0.0.1:${localPort}`, `localhost:${localPort}`];
  return /^(?:::ffff:)?127\./.test(remoteAddress) && names.includes(host.toLowerCase());
}

/** Programs that would rather speak over a web socket go on without one. */
function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => {});
  socket.end('HTTP/1.1 426 Upgrade Required\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
}
