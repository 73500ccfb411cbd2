import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { messageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** `tool_use` blocks in assistant messages, `tool_result` blocks in user messages. */
export const ANTHROPIC_MESSAGES = messageDialect({ name: 'Anthropic messages', isMarked, readMessage });

function isMarked(message: JsonObject): boolean {
  if (!['user', 'assistant'].includes(textAt(message, 'role') ?? '')) return false;
  return listAt(message, 'content')?.some((block) => isJsonObject(block) && isMarkedBlock(block)) === true;
}

/** Whether no other API writes such a block. */
function isMarkedBlock(block: JsonObject): boolean {
  const type = textAt(block, 'type') ?? '';
  if (CALLS.has(type)) return textAt(block, 'name') !== undefined;
  if (type.endsWith('tool_result')) return textAt(block, 'tool_use_id') !== undefined;
  return (type === 'thinking' && textAt(block, 'thinking') !== undefined) || type === 'redacted_thinking';
}

const CALLS: ReadonlySet<string> = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  const pieces = readPieces(ownValue(message, 'content'), `${at}.content`, readBlock);
  switch (textAt(message, 'role')) {
    case 'system':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    case 'user':
      return userEntries(pieces);
    case 'assistant':
      return assistantEntries(pieces);
    default:
      return [unknownEntry(at, message)];
  }
}

export function readBlock(block: JsonObject): Piece | undefined {
  const type = textAt(block, 'type') ?? '';
  if (type === 'text') return { text: textAt(block, 'text') };
  if (CALLS.has(type)) {
    const tool = textAt(block, 'name');
    if (tool === undefined) return undefined;
    const executedBy = type === 'tool_use' ? undefined : ('provider' as const);
    const input = readArguments(valueAt(block, 'input'));
    return { call: { tool, id: textAt(block, 'id'), input, executed_by: executedBy } };
  }
  if (type.endsWith('tool_result')) return { result: readResult(block) };
  return UNSAID.has(type) ? NOTHING : undefined;
}

/** `tool_result` of a tool of ours, `web_search_tool_result` and the like of the provider's. */
function readResult(block: JsonObject): Omit<ResultEntry, 'kind'> {
  const content = valueAt(block, 'content');
  const isError = ownValue(block, 'is_error');
  const isProviderError = textAt(content, 'type')?.endsWith('_error') === true;
  const status = isError === true || isProviderError ? 'error' : isError === false ? 'ok' : undefined;
  return { id: textAt(block, 'tool_use_id'), output: readOutput(resultText(content) ?? content), status };
}

/** Undefined: something else than text, which is kept as it is. */
function resultText(content: Json | undefined): string | undefined {
  if (!isJsonList(content)) return undefined;
  const texts = content.map((part) => (textAt(part, 'type') === 'text' ? textAt(part, 'text') : undefined));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('');
}

const UNSAID: ReadonlySet<string> = new Set([
  'thinking',
  'redacted_thinking',
  'image',
  'document',
  'search_result',
  'container_upload',
  'compaction',
  'fallback',
  'mcp_tool_listing',
  'tool_addition',
  'tool_removal',
  'tool_reference',
]);
