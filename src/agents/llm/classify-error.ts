import type { Model } from './create-model.ts';
import type { AiSdk } from './load-ai-sdk.ts';
import { ModelError, type ModelErrorKind } from './model-error.ts';
import { redactorOf } from '../../base/match/redact-secrets.ts';
import { readRetryAfter } from '../../base/system/retry.ts';

/** A ModelError for anything the AI SDK threw, without secrets in its text. */
export function classifyError(error: unknown, model: Model, sdk: AiSdk): ModelError {
  const { provider, model: name, api, retry_status_codes: retried } = model.config;
  const own = findModelError(error);
  const { text: redact } = redactorOf(model.secrets);
  const who = `the model "${name}" (${provider})`;
  if (own !== undefined) return new ModelError(own.kind, `${who}: ${redact(own.message)}`, own);
  const said = shorten(redact(error instanceof Error ? error.message : String(error)));
  if (!sdk.APICallError.isInstance(error))
    return new ModelError('request', `${who} could not be called: ${said}`);
  const { statusCode: status, responseHeaders = {}, isRetryable } = error;
  if (status === undefined) {
    const where = /ECONNREFUSED/.test(said)
      ? '\nis the server running, and is the port in `base_url` right?'
      : '';
    return new ModelError(isRetryable ? 'network' : 'request', `${who} cannot be reached: ${said}${where}`);
  }
  const details = { status, retryAfterMs: readRetryAfter((header) => responseHeaders[header]) };
  // A success that cannot be read comes from something between us and the model.
  if (status < 400) return new ModelError('server', `${who} sent an invalid response: ${said}`, details);
  const isUnknownModel = codeOf(error.data) === 'model_not_found' || /\bmodel\b/i.test(said);
  const lacksResponses = status === 404 && provider === 'openai' && api !== 'chat' && !isUnknownModel;
  const hint = lacksResponses
    ? '; a server without the Responses API needs `api: chat`'
    : status === 404 && isUnknownModel
      ? '\ncheck `model` in the config'
      : status === 401 || status === 403
        ? '\ncheck the key: `api_key` in the config, or its variable in the environment or .env'
        : '';
  return new ModelError(
    kindOfStatus(status, { data: error.data, retried }),
    `${who} answered ${status}: ${said}${hint}`,
    details,
  );
}

/** Our own error may be wrapped in one of the SDK's. */
function findModelError(error: unknown): ModelError | undefined {
  for (let each = error; each instanceof Error; each = each.cause)
    if (each instanceof ModelError) return each;
  return undefined;
}

interface StatusDetails {
  readonly data: unknown;
  /** The status codes to retry, if the config names them. */
  readonly retried: readonly number[] | undefined;
}

function kindOfStatus(status: number, { data, retried }: StatusDetails): ModelErrorKind {
  // Waiting does not refill an empty account or fix a wrong key.
  if (status === 401 || status === 403 || codeOf(data) === 'insufficient_quota') return 'request';
  const isRetried = retried?.includes(status) ?? (status === 408 || status === 429 || status >= 500);
  if (!isRetried) return 'request';
  return status === 429 ? 'rate_limit' : 'server';
}

function codeOf(data: unknown): unknown {
  return (data as { readonly error?: { readonly code?: unknown } } | undefined)?.error?.code;
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}...`;
}

const LONGEST = 600;
