import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { listAt, textAt, valueAt } from '../foreign-fields.ts';
import { objectDialect } from './dialect.ts';

/** What `callTool` of an MCP client gives. A tool that fails says so in its text, which is then the answer. */
export const MCP_TOOL_RESULT = objectDialect({
  name: 'an MCP tool result',
  isMarked,
  read(result) {
    const texts = (listAt(result, 'content') ?? []).flatMap((part) => textOf(part) ?? []);
    const structured = valueAt(result, 'structuredContent');
    return {
      output: texts.length > 0 || structured === undefined ? texts.join('\n') : printJson(structured),
    };
  },
});

const FIELDS: ReadonlySet<string> = new Set([
  'content',
  'isError',
  'structuredContent',
  '_meta',
  'meta',
  'resultType',
]);

function isMarked(value: JsonObject): boolean {
  const content = listAt(value, 'content');
  if (content === undefined || !Object.keys(value).every((key) => FIELDS.has(key))) return false;
  const isTold = typeof value['isError'] === 'boolean' || isJsonObject(value['structuredContent']);
  return content.every(isContent) && (content.length > 0 || isTold);
}

const CONTENT: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['image', 'data'],
  ['audio', 'data'],
  ['resource', 'resource'],
  ['resource_link', 'uri'],
]);
const CONTENT_FIELDS: ReadonlySet<string> = new Set(['type', 'text', 'annotations', '_meta', 'meta']);

function isContent(part: Json): boolean {
  if (!isJsonObject(part)) return false;
  const type = textAt(part, 'type') ?? '';
  const needed = CONTENT.get(type);
  if (needed === undefined || !(needed in part)) return false;
  return type !== 'text' || Object.keys(part).every((key) => CONTENT_FIELDS.has(key));
}

function textOf(part: Json): string | undefined {
  return textAt(part, 'type') === 'text' ? textAt(part, 'text') : undefined;
}
