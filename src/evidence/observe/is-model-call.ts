import { isJsonObject, type Json } from '../../model/json.ts';

const MODEL_PATH =
  /(?:\/chat\/completions|\/responses|\/messages|:generateContent|:streamGenerateContent)\/?$/;

/** Whether an address may be that of a model. Its query does not count, nor its host. */
export function mayBeModelCall(method: string, path: string): boolean {
  return method.toUpperCase() === 'POST' && MODEL_PATH.test(path.split(/[?#]/, 1)[0]!);
}

/** Whether a request to such an address asks a model. */
export function isModelCall(method: string, path: string, body: Json | undefined): boolean {
  return mayBeModelCall(method, path) && isJsonObject(body);
}
