import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DEFAULT_EDITOR } from '../../base/model/editor.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { Access } from './access.ts';
import { HttpResponse } from './http-response.ts';
import { serveApi, type ApiContext } from './api.ts';
import { loadAssets, type Asset } from './assets.ts';
import { bracketed, isLoopback, isWildcard, refusalOf } from './guard.ts';
import { RunLibrary, type LibraryOptions } from './run-library.ts';
import { RunAgain, type StartRun } from './run-again.ts';
import { SourceExcerpts } from './source-excerpts.ts';

export interface ViewServerOptions extends LibraryOptions, Pick<ApiContext, 'compare' | 'compareTargets'> {
  readonly redactor: Redactor;
  /** The built page. */
  readonly webFolder: string;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** 0: any free port. */
  readonly port: number;
  /** Default: a random one. Required if other machines may connect. */
  readonly token?: string | undefined;
  /** What the page opens files with, if it is on this machine. Default: `vscode`. */
  readonly editor?: string | undefined;
  /** People may add labels to results. `by`: who they are, if they do not say. Default: nothing is written. */
  readonly labels?: { readonly by: string } | undefined;
  /** Runs tests again, if the page may. Only on this machine. */
  readonly startRun?: StartRun | undefined;
  /** Called for unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/** The server would be reachable from other machines without a token. */
export class OpenToAll extends Error {
  constructor(host: string) {
    super(`listening on ${host} gives other machines access`);
  }
}

/** Other machines could start runs. */
export class RunsForAll extends Error {
  constructor(host: string) {
    super(`listening on ${host} would let other machines start runs`);
  }
}

/** The local page over all runs: it serves requests with the token, and changes nothing but labels. */
export class ViewServer {
  private readonly options: ViewServerOptions;
  private readonly access: Access;
  private readonly assets: ReadonlyMap<string, Asset>;
  private readonly context: ApiContext;
  private readonly server: Server;
  private port = 0;

  constructor(options: ViewServerOptions) {
    const { host = LOOPBACK, token, compare, compareTargets, startRun } = options;
    if (!isLoopback(host) && token === undefined) throw new OpenToAll(host);
    if (!isLoopback(host) && startRun !== undefined) throw new RunsForAll(host);
    this.options = options;
    this.access = new Access(token);
    this.assets = loadAssets(options.webFolder);
    const { labels, redactor } = options;
    const sources = new SourceExcerpts(options);
    // Paths of this machine mean nothing on another one, and are nobody else's business.
    const editor = isLoopback(host) ? (options.editor ?? DEFAULT_EDITOR) : undefined;
    const library = new RunLibrary(options);
    const again = startRun && new RunAgain(options.projectRoot, startRun);
    this.context = { library, sources, editor, compare, compareTargets, again, labels, redactor };
    this.server = createServer(LIMITS, (request, response) => void this.handle(request, response));
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.timeout = IDLE_MS;
  }

  /** Rejects if the port is taken. */
  listen(): Promise<void> {
    const { port, host = LOOPBACK } = this.options;
    return new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        this.port = (this.server.address() as AddressInfo).port;
        resolve();
      });
    });
  }

  /** The address, with the token. */
  address(place = ''): string {
    return `${this.origin()}/?token=${this.access.token}${place}`;
  }

  /** The same, valid once: for the arguments of a program, which others can see. */
  addressForOnce(place = ''): string {
    return `${this.origin()}/?token=${this.access.createTicket()}${place}`;
  }

  close(): Promise<void> {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(() => resolve()));
  }

  private origin(): string {
    const { host = LOOPBACK } = this.options;
    return `http://${isWildcard(host) ? LOOPBACK : bracketed(host)}:${this.port}`;
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answer = new HttpResponse(response);
    try {
      const { host = LOOPBACK } = this.options;
      const takesLabels = this.options.labels !== undefined;
      const startsRuns = this.options.startRun !== undefined;
      const refusal = refusalOf(request, { host, port: this.port, takesLabels, startsRuns });
      if (refusal === undefined) await this.route(request, answer);
      else this.refuse(response, answer, refusal);
    } catch (error) {
      // Nobody is there to answer: the client left in the middle of its request.
      if (request.destroyed && !request.complete) return;
      this.options.onError(error);
      if (answer.hasBegun) answer.breakOff();
      else answer.json({ error: error instanceof Error ? error.message : String(error) }, 500);
    }
  }

  private refuse(
    response: ServerResponse,
    answer: HttpResponse,
    { status, message, allow }: NonNullable<ReturnType<typeof refusalOf>>,
  ): void {
    // Nothing more is read from that client.
    response.setHeader('Connection', 'close');
    if (allow !== undefined) response.setHeader('Allow', allow);
    answer.text(message, status);
  }

  private async route(request: IncomingMessage, answer: HttpResponse): Promise<void> {
    const [path = '', search = ''] = splitOnce(request.url!, '?');
    const query = new URLSearchParams(search);
    const token = query.get('token');
    if (token !== null && path === '/' && (this.access.isToken(token) || this.access.takeTicket(token)))
      return answer.redirect('/', this.cookie());
    if (!this.isKnown(request)) return answer.text(NOT_KNOWN, 401);
    if (path.startsWith('/api/')) {
      const words = decodeWords(path.slice('/api/'.length));
      return words === undefined
        ? answer.json({ error: 'there is no such address' }, 404)
        : serveApi(words, { ...this.context, answer, request, query });
    }
    const asset = this.assets.get(path);
    if (asset !== undefined) return answer.whole(asset.type, asset.bytes);
    return path === '/' ? answer.text(NO_PAGE, 503) : answer.text('there is no such page', 404);
  }

  private isKnown({ headers }: IncomingMessage): boolean {
    const bearer = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1];
    if (bearer !== undefined && this.access.isToken(bearer)) return true;
    // Servers on other ports of this machine set cookies here too: the port in the name keeps them apart.
    const cookies = (headers.cookie ?? '').split(';').map((cookie) => splitOnce(cookie.trim(), '='));
    return cookies.some(([name, value = '']) => name === this.cookieName() && this.access.isToken(value));
  }

  private cookie(): string {
    return `${this.cookieName()}=${this.access.token}; HttpOnly; SameSite=Strict; Path=/`;
  }

  private cookieName(): string {
    return `assay_${this.port}`;
  }
}

const LOOPBACK = '127.0.0.1';
const MAX_CONNECTIONS = 256;
/** A client that neither sends nor reads for this long is gone. Events have a heartbeat. */
const IDLE_MS = 120_000;
/** A slow request does not keep a connection open. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5000,
  requestTimeout: 5000,
  keepAliveTimeout: 5000,
  connectionsCheckingInterval: 1000,
} as const;

const NOT_KNOWN = 'This page needs a token: open the address that `assay view` printed in the terminal.';
const NO_PAGE = 'The page is not built: run `npm run build`.';

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** Words are compared, never turned into a path. Undefined if it is not validly encoded. */
function decodeWords(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
