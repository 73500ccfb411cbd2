import type { JsonObject } from '../../base/model/json.ts';

/** An error as OpenAI's APIs word it. */
export function openAiError(status: number, message: string): JsonObject {
  const [type, code] = status >= 500 ? ['server_error', null] : (KINDS.get(status) ?? [BAD_REQUEST, null]);
  return { error: { message, type, param: null, code } };
}

const BAD_REQUEST = 'invalid_request_error';

const KINDS: ReadonlyMap<number, readonly [type: string, code: string | null]> = new Map([
  [401, [BAD_REQUEST, 'invalid_api_key']],
  [403, ['permission_error', null]],
  [404, [BAD_REQUEST, 'model_not_found']],
  [429, ['requests', 'rate_limit_exceeded']],
]);
