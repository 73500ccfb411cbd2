import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';

/** A case with variables. Beside them `{{` is a template, so that of the case's own texts is escaped. */
export function withVars(fields: JsonObject, vars: JsonObject): JsonObject {
  return Object.keys(vars).length === 0 ? fields : { ...(escapeBraces(fields) as JsonObject), vars };
}

/** In a case with variables or rows, braces of other texts are not templates. */
export function escapeBraces(value: Json): Json {
  if (typeof value === 'string')
    return value.replaceAll(/(\\*)\{\{/g, (_, backslashes: string) => `${backslashes}${backslashes}\\{{`);
  if (isJsonList(value)) return value.map(escapeBraces);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, escapeBraces(item)]));
}
