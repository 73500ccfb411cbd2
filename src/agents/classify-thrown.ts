import { readRetryAfter } from '../base/system/retry.ts';

/** An error of the network or of a busy server, which may be gone when the attempt is made again. */
export interface PassingFailure {
  readonly isRateLimit: boolean;
  readonly retryAfterMs: number | undefined;
}

/** Looks through an error and what caused it, as SDKs wrap them: undefined when asking again would not help. */
export function passingFailure(thrown: unknown): PassingFailure | undefined {
  for (const error of errorsIn(thrown)) {
    const status = statusOf(error);
    if (status !== undefined) return isPassing(status, error) ? failureOf(error, status) : undefined;
    if (typeof error.code === 'string' && NETWORK_CODES.has(error.code)) return failureOf(error, undefined);
  }
  return undefined;
}

interface AnyError {
  readonly status?: unknown;
  readonly statusCode?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly lastError?: unknown;
  readonly response?: unknown;
  readonly headers?: unknown;
  readonly responseHeaders?: unknown;
}

function errorsIn(thrown: unknown): readonly AnyError[] {
  const found: AnyError[] = [];
  let each = thrown;
  while (typeof each === 'object' && each !== null && found.length < DEEPEST) {
    const error = each as AnyError;
    found.push(error);
    each = error.lastError ?? error.cause;
  }
  return found;
}

const DEEPEST = 10;

function statusOf({ status, statusCode, response }: AnyError): number | undefined {
  const inner = (response as { readonly status?: unknown } | null | undefined)?.status;
  return [status, statusCode, inner].find((each) => typeof each === 'number' && each >= 400) as
    | number
    | undefined;
}

/** Money that has run out does not come back by waiting. */
function isPassing(status: number, { code }: AnyError): boolean {
  return (status === 408 || status === 429 || status >= 500) && code !== 'insufficient_quota';
}

function failureOf(error: AnyError, status: number | undefined): PassingFailure {
  const inner = (error.response as { readonly headers?: unknown } | null | undefined)?.headers;
  const headers = error.responseHeaders ?? error.headers ?? inner;
  return { isRateLimit: status === 429, retryAfterMs: readRetryAfter((name) => headerOf(headers, name)) };
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined;
  const value: unknown =
    typeof (headers as { get?: unknown }).get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
