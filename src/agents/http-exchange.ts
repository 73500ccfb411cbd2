import type { ErrorKind } from '../model/record.ts';
import { OUTPUT_LIMIT_BYTES } from '../processes/limits.ts';
import { readRetryAfter } from '../retry/read-retry-after.ts';
import { AgentError } from './contract.ts';
import { stoppedError } from './stopped-error.ts';

export interface HttpCall {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string;
}

export interface HttpResponse {
  readonly text: string;
  readonly isJson: boolean;
}

interface HttpErrorDetails {
  readonly status?: number;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A failure of the other side, with what a retry needs to know. */
export class HttpAgentError extends AgentError {
  /** Undefined when there was no response. */
  readonly status: number | undefined;

  constructor(kind: ErrorKind, message: string, { status, ...details }: HttpErrorDetails = {}) {
    super(kind, message, { ...details, isRateLimit: status === 429 });
    this.name = 'HttpAgentError';
    this.status = status;
  }
}

interface ExchangeOptions {
  readonly signal: AbortSignal;
  /** What else is known when the server cannot be reached. */
  readonly explain: () => string | undefined;
}

/** Sends a request and reads the response. Everything but a 2xx is an AgentError. */
export async function exchange(call: HttpCall, { signal, explain }: ExchangeOptions): Promise<HttpResponse> {
  try {
    const response = await follow(call, signal);
    const text = await readText(response);
    if (!response.ok) throw statusError(call.url, response, text);
    return { text, isJson: /[/+]json\b/i.test(response.headers.get('content-type') ?? '') };
  } catch (error) {
    if (signal.aborted) throw stoppedError(signal);
    if (error instanceof AgentError) throw error;
    const more = explain();
    const message = `${call.url.origin} cannot be reached: ${reasonOf(error)}${more === undefined ? '' : ` (${more})`}`;
    throw new HttpAgentError('infrastructure', message, { cause: error });
  }
}

/** A redirect is followed on the same origin only: headers with keys must not travel elsewhere. */
async function follow(call: HttpCall, signal: AbortSignal): Promise<Response> {
  let { url, method } = call;
  const { headers } = call;
  for (let hops = 0; ; hops++) {
    const body = method === 'GET' || method === 'HEAD' ? null : call.body;
    const response = await fetch(url, { method, headers, body, signal, redirect: 'manual' });
    const location = response.headers.get('location');
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined;
    if (next?.origin !== call.url.origin) {
      throw new HttpAgentError(
        'agent',
        `${url.href} redirects to ${location}, which is not followed: use that address if it is right`,
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

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > OUTPUT_LIMIT_BYTES)
      throw new HttpAgentError(
        'limit',
        `the response is longer than ${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`,
        { status: response.status },
      );
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function statusError(url: URL, response: Response, text: string): HttpAgentError {
  const { status, statusText, headers } = response;
  const isTheirs = status === 429 || status >= 500;
  const start = text.trim().slice(0, 500);
  const message = `${url.origin}${url.pathname} answered ${status}${statusText === '' ? '' : ` ${statusText}`}${start === '' ? '' : `: ${start}`}`;
  return new HttpAgentError(isTheirs ? 'infrastructure' : 'agent', message, {
    status,
    retryAfterMs: readRetryAfter((name) => headers.get(name)),
  });
}

/** fetch says only "fetch failed"; the reason is in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as {
    readonly cause?: { readonly code?: string; readonly message?: string };
    readonly message?: string;
  };
  return cause?.message || cause?.code || message || String(error);
}
