import { readJson } from '../../formats/read-json.ts';
import { isJsonList, isJsonObject, ownValue, type Json } from '../../../base/model/json.ts';
import { printJson } from '../../../base/model/print-json.ts';
import { parseYaml } from './parse-yaml.ts';

/** What a prompt is made of: a text, the messages of a chat, or JSON with templates in its texts. */
export type PromptShape =
  | { readonly text: string }
  | { readonly messages: readonly Json[] }
  | { readonly json: Json };

/** A chat in YAML is known by its first line. */
export function shapeOf(raw: string): PromptShape {
  const trimmed = raw.trim();
  const read = /^[[{"]/.test(trimmed) ? readJson(trimmed) : undefined;
  const value =
    read !== undefined && 'value' in read
      ? read.value
      : /^-\s+(?:role|content):/.test(trimmed)
        ? parseYaml(raw)
        : undefined;
  if (value === undefined || typeof value !== 'object' || value === null) return { text: raw };
  if (isJsonList(value) && value.length > 0 && value.every(isMessage)) return { messages: value };
  return { json: value };
}

const ROLES = new Set(['system', 'user', 'assistant', 'tool']);

function isMessage(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  const role = ownValue(value, 'role');
  return typeof role === 'string' && ROLES.has(role) && typeof ownValue(value, 'content') === 'string';
}

export function jsonText(value: Json): string {
  return printJson(value, '  ');
}
