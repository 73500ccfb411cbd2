import type { ErrorKind } from '../base/model/record.ts';
import { refusedStatus } from '../base/model/refused-status.ts';
import { readRetryAfter } from '../base/system/retry.ts';
import { explainFailure } from './connection-failure.ts';
import { AgentError } from './contract.ts';
import type { HttpAnswer, HttpConnection, HttpRequest } from './http-connection.ts';
import { notUtf8 } from './reply-text.ts';
import { describePage } from './html-page.ts';
import { stoppedError } from './stopped-error.ts';

export interface HttpResponse {
  readonly status: number;
  readonly text: string;
  /** Without parameters, in lower case; empty if there is none. */
  readonly contentType: string;
}

interface HttpErrorDetails {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A failure of the other side, with what a retry needs to know. */
export class HttpAgentError extends AgentError {
  /** Undefined if there was no response. */
  readonly status: number | undefined;

  constructor(kind: ErrorKind, message: string, { status, ...details }: HttpErrorDetails = {}) {
    super(kind, message, {
      ...details,
      isRateLimit: status === 429,
      refusedStatus: refusedStatus(status),
    });
    this.name = 'HttpAgentError';
    this.status = status;
  }
}

interface ExchangeOptions {
  readonly connection: HttpConnection;
  readonly signal: AbortSignal;
  /** What else is known if the server cannot be reached. */
  readonly explain: () => string | undefined;
}

/** Sends a request and reads the response. Everything except 2xx is an AgentError. */
export async function exchange(
  call: HttpRequest,
  { connection, signal, explain }: ExchangeOptions,
): Promise<HttpResponse> {
  try {
    const answer = await follow(call, connection, signal);
    if (answer.status < 200 || answer.status > 299) throw statusError(call.url, answer);
    if (answer.invalid !== undefined) throw notUtf8(answer.invalid, 'the response');
    const contentType = (answer.header('content-type') ?? '').split(';')[0]!.trim().toLowerCase();
    return { status: answer.status, text: answer.text, contentType };
  } catch (error) {
    if (signal.aborted) throw stoppedError(signal);
    if (error instanceof AgentError) throw error;
    const { problem, hint } = explainFailure(error, call.url);
    const end = explain();
    const more = end === undefined ? hint : `the server ${end}`;
    throw new HttpAgentError('infrastructure', `${problem}\n${more}`, { cause: error });
  }
}

/** A redirect is followed only on the same origin: headers with keys must not go elsewhere. */
async function follow(
  call: HttpRequest,
  connection: HttpConnection,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  let { url, method } = call;
  for (let hops = 0; ; hops++) {
    const response = await connection.send({ ...call, url, method }, signal);
    const location = response.header('location');
    if (!REDIRECTS.has(response.status) || location === undefined) return response;
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next?.origin !== call.url.origin) {
      throw new HttpAgentError(
        'agent',
        `${url.href} redirects to ${location}, but Assay does not follow redirects to other origins: if it is right, use that address`,
        { status: response.status },
      );
    }
    if (hops === MAX_HOPS)
      throw new HttpAgentError('agent', `${call.url.href} redirects more than ${MAX_HOPS} times`, {
        status: response.status,
      });
    if (response.status === 303 || (response.status < 303 && method === 'POST')) method = 'GET';
    url = next;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_HOPS = 5;

/** The first line; JSON is often spread over several. */
function shorten(text: string): string {
  const line = /^[[{]/.test(text) ? text.replaceAll(/\s+/g, ' ') : text.split('\n')[0]!.trim();
  return line.slice(0, 500);
}

const HINTS: Readonly<Record<number, string>> = {
  401: 'check the key or token in `headers` of the target',
  403: 'check the key or token in `headers` of the target',
  404: 'check the path in `url` of the target',
  405: 'check `method` and the path in `url` of the target',
  415: 'check `headers` of the target: Assay sends JSON',
  422: 'check `body` of the target: the server expects other fields',
};

function statusError(url: URL, { status, statusText, header, text }: HttpAnswer): HttpAgentError {
  const isTheirs = status === 429 || status >= 500;
  const body = describePage(text) ?? shorten(text.trim());
  const hint = HINTS[status];
  const message = `${url.origin}${url.pathname} answered ${status}${statusText === '' ? '' : ` ${statusText}`}${body === '' ? '' : `: ${body}`}${hint === undefined ? '' : `\n${hint}`}`;
  return new HttpAgentError(isTheirs ? 'infrastructure' : 'agent', message, {
    status,
    retryAfterMs: readRetryAfter(header),
  });
}
