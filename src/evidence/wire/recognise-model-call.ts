import { isJsonObject, type Json } from '../../base/model/json.ts';
import type { ModelApi } from '../apis/model-api.ts';
import { kindOfOtherCall } from '../apis/other-calls.ts';
import { MODEL_APIS } from '../apis/registry.ts';

/** Whether a request may be a model call, by its path alone: cheap enough to ask for every request of an agent. */
export function mayBeModelCall(method: string, path: string): boolean {
  return apiOfPath(method, path) !== undefined;
}

/** Whether a request is a model call. The host and the start of the path do not matter. */
export function isModelCall(method: string, path: string, body: Json | undefined): boolean {
  return isJsonObject(body) && apiOfPath(method, path)?.matchesBody(body) === true;
}

/** Whether a request is kept until it is known what it used: it may be a model call, or one that is counted apart. */
export function isCounted(method: string, path: string): boolean {
  return mayBeModelCall(method, path) || kindOfOtherCall(method, pathWithoutQuery(path)) !== undefined;
}

/** Other requests to model APIs that agents make while they work, by their paths. */
const OTHER_REQUESTS =
  /\/(?:embeddings|moderations|rerank|completions|count_tokens|input_tokens|images\/generations|audio\/\w+|api\/(?:chat|generate|embed)|v[12]\/chat|model\/[^/]+\/(?:converse|invoke))$|:(?:embedContent|batchEmbedContents|countTokens|predict)$/;

/** Whether a request goes to a model API and is not a model call: embeddings, counts of tokens. */
export function mayBeApiRequest(method: string, path: string): boolean {
  const plain = pathWithoutQuery(path);
  return (
    kindOfOtherCall(method, plain) !== undefined ||
    (method.toUpperCase() === 'POST' && OTHER_REQUESTS.test(plain))
  );
}

export function apiOfPath(method: string, path: string): ModelApi | undefined {
  if (method !== 'POST' && method.toUpperCase() !== 'POST') return undefined;
  const plain = pathWithoutQuery(path);
  return MODEL_APIS.find((api) => api.path.test(plain));
}

export function pathWithoutQuery(path: string): string {
  const end = path.search(/\/*(?:[?#]|$)/);
  return end < 0 ? path : path.slice(0, end);
}
