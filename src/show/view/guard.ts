import type { IncomingMessage } from 'node:http';

const MAX_URL = 4096;
const MAX_BODY = 32 * 1024;

export interface RequestRefusal {
  readonly status: number;
  readonly message: string;
  /** The methods that are accepted instead. */
  readonly allow?: string | undefined;
}

export interface ListenAddress {
  /** As the user gave it: `127.0.0.1`, `::1`, a name, or `0.0.0.0`. */
  readonly host: string;
  readonly port: number;
  /** People may add labels to results. */
  readonly takesLabels?: boolean | undefined;
  /** The page may start runs. */
  readonly startsRuns?: boolean | undefined;
}

/**
 * Why a request is refused. A page of another site can make a browser send requests here: through its own name that
 * resolves to this machine (Host), or from its own origin (Origin, Sec-Fetch-Site).
 */
export function refusalOf(request: IncomingMessage, place: ListenAddress): RequestRefusal | undefined {
  const { url = '', method, headers } = request;
  if (url.length > MAX_URL) return { status: 414, message: 'this address is too long' };
  // Of two names, one may be checked here and the other one used elsewhere.
  const [name = '', ...more] = request.headersDistinct['host'] ?? [];
  if (more.length > 0 || !allowedHosts(place, request.socket.localAddress).has(name.toLowerCase()))
    return { status: 403, message: 'this server does not serve that host name' };
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`)
    return { status: 403, message: 'requests from other sites are refused' };
  if (!['same-origin', 'none', undefined].includes(headers['sec-fetch-site'] as string | undefined))
    return {
      status: 403,
      message: 'requests from other sites are refused; paste the address into the browser instead',
    };
  if (!url.startsWith('/')) return { status: 400, message: 'this server is not a proxy' };
  const mayPost =
    (place.takesLabels === true && LABELS.test(url)) || (place.startsRuns === true && AGAIN.test(url));
  if (method === 'POST' && mayPost) return postRefusal(request);
  if (method !== 'GET')
    return mayPost
      ? { status: 405, message: 'this address accepts only GET and POST', allow: 'GET, POST' }
      : { status: 405, message: 'this server is read-only: it accepts only GET', allow: 'GET' };
  if (hasBody(request)) return { status: 413, message: 'a GET request must not have a body' };
  return undefined;
}

/** What can be written to, each only if the server was started for it. */
const LABELS = /^\/api\/runs\/[^/?#]+\/labels$/;
const AGAIN = /^\/api\/runs\/[^/?#]+\/again$/;

/**
 * A form of another site can send a body too, but not with this type and without asking first. A browser always says
 * where a POST comes from; a program shows the token itself instead.
 */
function postRefusal({ headers }: IncomingMessage): RequestRefusal | undefined {
  if (headers['sec-fetch-site'] === 'none')
    return { status: 403, message: 'only the page itself sends this' };
  if (headers.origin === undefined && headers.authorization === undefined)
    return { status: 403, message: 'a POST needs an Origin, or the token as a bearer' };
  if (!/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(headers['content-type'] ?? ''))
    return { status: 415, message: 'a POST is sent as application/json' };
  if (headers['transfer-encoding'] !== undefined || !/^\d{1,9}$/.test(headers['content-length'] ?? ''))
    return { status: 411, message: 'a POST is sent with its length' };
  if (headers['content-encoding'] !== undefined)
    return { status: 415, message: 'a POST is sent without an encoding' };
  if (Number(headers['content-length']) > MAX_BODY)
    return { status: 413, message: `a POST has at most ${MAX_BODY} bytes` };
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
