import { createServer as createHttpServer, request as sendRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join as joinPath } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ReachedHost } from '../../base/model/workspace.ts';

/** The only ways out of a sealed network. */
export interface NetworkGate {
  /** The socket that takes requests for other hosts, as a proxy does. */
  readonly socket: string;
  /** Hosts that were asked for, each once. */
  reached(): readonly ReachedHost[];
  /** These hosts may be reached as well. */
  allow(hosts: readonly string[]): void;
  /** A socket that leads to a port of this machine, such as that of the observing proxy. */
  forward(port: number): Promise<string>;
  close(): void;
}

/** Lets requests to some hosts through, writes down all, and refuses the others. Sockets in the file system work across namespaces. */
export async function openGate(folder: string, allowed: readonly string[]): Promise<NetworkGate> {
  const rules = new Set(allowed.map((rule) => rule.toLowerCase()));
  const reached = new Map<string, ReachedHost>();
  const servers = new Set<Server>();
  const sockets = new Set<Duplex>();
  const track = <T extends Duplex>(socket: T): T => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const admit = (host: string, port: number): boolean => {
    const isAllowed = [...rules].some((rule) => matchesHost(rule, host, port));
    const name = `${host}:${port}`;
    reached.set(name, isAllowed ? { host: name } : { host: name, refused: true });
    return isAllowed;
  };
  const gate = createHttpServer((incoming, outgoing) => {
    const url = targetOf(incoming);
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    if (url === undefined || !admit(url.hostname, Number(url.port || 80))) {
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'text/plain', connection: 'close' });
      outgoing.end(`Assay: the network policy of this test does not allow ${url?.host ?? 'this request'}\n`);
      return;
    }
    const { 'proxy-connection': _, 'proxy-authorization': _credentials, ...headers } = incoming.headers;
    const upstream = sendRequest(url, { method: incoming.method, headers, agent: false }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on('error', () => {
      if (!outgoing.headersSent) outgoing.writeHead(502);
      outgoing.end();
    });
    incoming.pipe(upstream);
  });
  gate.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    track(client);
    const [, host = '', port = '443'] = /^\[?([^\]]*?)\]?:(\d+)$/.exec(incoming.url ?? '') ?? [];
    if (host === '' || !admit(host.toLowerCase(), Number(port))) {
      client.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
      return;
    }
    const upstream = track(
      connect(Number(port), host, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        upstream.write(head);
        join(client, upstream);
      }),
    );
    upstream.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n'));
  });
  gate.on('connection', (socket: Socket) => track(socket));
  const socket = joinPath(folder, 'gate');
  await listen(gate, socket);
  servers.add(gate);
  return {
    socket,
    reached: () => [...reached.values()],
    allow: (hosts) => hosts.forEach((host) => rules.add(host.toLowerCase())),
    async forward(port) {
      const server = createServer((client) => join(track(client), track(connect(port, '127.0.0.1'))));
      const path = joinPath(folder, String(port));
      await listen(server, path);
      servers.add(server);
      return path;
    },
    close() {
      for (const server of servers) server.close();
      for (const each of sockets) each.destroy();
    },
  };
}

/** What one side sends, the other gets. */
function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  one.once('close', () => other.destroy());
  other.once('close', () => one.destroy());
}

function targetOf({ url = '' }: IncomingMessage): URL | undefined {
  return /^http:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
}

/** `example.com`, `*.example.com`, `example.com:8080`. */
function matchesHost(rule: string, host: string, port: number): boolean {
  const [, name = rule, only] = /^(.*?)(?::(\d+))?$/.exec(rule) ?? [];
  if (only !== undefined && Number(only) !== port) return false;
  return name === '*' || name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.off('error', reject);
      server.unref();
      resolve();
    });
  });
}

/**
 * Runs inside of the sealed network, as `node -e`: opens ports on its loopback that lead to sockets outside, then starts the
 * program and ends as it does. Arguments: a list of `port=socket` with `,` between them, then the program.
 */
export const RELAY = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const [ways, program, ...args] = process.argv.slice(1);
const open = ways.split(',').map((way) => {
  const at = way.indexOf('=');
  const server = net.createServer((client) => {
    const out = net.connect(way.slice(at + 1));
    const end = () => { client.destroy(); out.destroy(); };
    client.on('error', end).on('close', end).pipe(out);
    out.on('error', end).on('close', end).pipe(client);
  });
  return new Promise((done, fail) => server.on('error', fail).listen(Number(way.slice(0, at)), '127.0.0.1', done));
});
Promise.all(open).then(() => {
  const child = spawn(program, args, { stdio: 'inherit' });
  child.on('error', (error) => { console.error(program + ': ' + error.message); process.exit(127); });
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128));
  for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => child.kill(name));
}, (error) => { console.error('the sealed network: ' + error.message); process.exit(125); });
`;
