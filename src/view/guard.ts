import type { IncomingMessage } from 'node:http';

const MAX_URL = 4096;

export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
}

export interface ListenAddress {
  /** As the user gave it: `127.0.0.1`, `::1`, a name, or `0.0.0.0`. */
  readonly host: string;
  readonly port: number;
}

/**
 * Why a request is refused. A page of another site can make a browser send requests here: through its own name that
 * resolves to this machine (Host), or from its own origin (Origin, Sec-Fetch-Site).
 */
export function refusalOf(request: IncomingMessage, place: ListenAddress): RequestRefusal | undefined {
  const { url = '', method, headers } = request;
  if (url.length > MAX_URL) return { status: 414, message: 'this address is too long' };
  if (!allowedHosts(place, request.socket.localAddress).has((headers.host ?? '').toLowerCase()))
    return { status: 403, message: 'this server does not serve that host name' };
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
    return { status: 403, message: 'requests from other sites are refused' };
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined))
    return {
      status: 403,
      message: 'requests from other sites are refused; paste the address into the browser instead',
    };
  if (method !== 'GET') return { status: 405, message: 'this server is read-only: it accepts only GET' };
  if (hasBody(request)) return { status: 413, message: 'a GET request must not have a body' };
  if (!url.startsWith('/')) return { status: 400, message: 'this server is not a proxy' };
  return undefined;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** With the port: another server on this machine is another site. */
function allowedHosts({ host, port }: ListenAddress, localAddress: string | undefined): ReadonlySet<string> {
  const hosts = ['127.0.0.1', 'localhost', '::1', host.toLowerCase()];
  // When bound to every address, its name is the address that the client connected to; that is never a host name.
  if (isWildcard(host) && localAddress !== undefined) hosts.push(localAddress.replace(/^::ffff:/, ''));
  return new Set(hosts.map((name) => `${bracketed(name)}:${port}`));
}

export function isWildcard(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}

export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
