import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, textAt, valueAt } from '../foreign-fields.ts';
import type { ChangedResult, ChangeResult } from './model-api.ts';

/** The text of a result: a text, or a list of parts, of which some hold text. Undefined: it has another form. */
export function contentText(content: Json | undefined): string | undefined {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!isJsonList(content) || !content.every(isPart)) return undefined;
  return content.flatMap((part) => textOf(part) ?? []).join('');
}

/** The same content with another text. `type`: of a part that holds text. */
export function changeContent(
  content: Json | undefined,
  { value, keepsRest }: ChangedResult,
  type = 'text',
): Json {
  const text = valueText(value);
  if (!isJsonList(content)) return text;
  const first = content.find((part) => textOf(part) !== undefined);
  const changed = first === undefined ? { type, text } : { ...(first as JsonObject), text };
  return [changed, ...(keepsRest ? content.filter((part) => textOf(part) === undefined) : [])];
}

/** As the model reads it. */
export function valueText(value: Json): string {
  return typeof value === 'string' ? value : printJson(value);
}

function isPart(part: Json): part is JsonObject {
  return isJsonObject(part) && typeof part['type'] === 'string';
}

function textOf(part: Json): string | undefined {
  const text = isJsonObject(part) ? part['text'] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/** The object with other items in one of its lists. */
export function mapItems(
  object: JsonObject,
  list: string,
  change: (item: JsonObject) => JsonObject,
): JsonObject {
  const items = listAt(object, list);
  if (items === undefined) return object;
  return { ...object, [list]: items.map((item) => (isJsonObject(item) ? change(item) : item)) };
}

/** The results in the tool messages of a request. Each API names the tool in another field. */
export function mapToolMessages(request: JsonObject, change: ChangeResult): JsonObject {
  return mapItems(request, 'messages', (message) => changeMessage(message, change));
}

function changeMessage(message: JsonObject, change: ChangeResult): JsonObject {
  if (!['tool', 'function'].includes(textAt(message, 'role') ?? '')) return message;
  const content = valueAt(message, 'content');
  const text = contentText(content);
  if (text === undefined) return message;
  const tool = textAt(message, 'name', 'tool_name');
  const changed = change({ id: textAt(message, 'tool_call_id'), tool, text });
  return changed === undefined ? message : { ...message, content: changeContent(content, changed) };
}
