import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, objectAt, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { bedrockUsage } from '../provider-usage.ts';
import { messageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Messages of Bedrock's Converse API and of Strands: blocks with one key each, `toolUse` and `toolResult` among them. */
export const BEDROCK_MESSAGES = messageDialect({ name: 'Bedrock Converse messages', isMarked, readMessage });

function isMarked(message: JsonObject): boolean {
  const role = textAt(message, 'role');
  const blocks = (listAt(message, 'content') ?? []).filter(isJsonObject);
  if (role === 'user')
    return blocks.some((block) => objectAt(block, 'toolResult') !== undefined && !('type' in block));
  if (role !== 'assistant' || blocks.length === 0) return false;
  return blocks.some((block) => objectAt(block, 'toolUse') !== undefined) || blocks.every(isBlock);
}

/** Text alone: `[{text}]`, where others write a `type` too. */
function isBlock(block: JsonObject): boolean {
  return Object.keys(block).length === 1 && readBlock(block) !== undefined;
}

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  // Strands adds what each call used.
  const usage = objectAt(objectAt(message, 'metadata'), 'usage');
  return readBedrockMessage(message, at, usage && { usage: bedrockUsage(usage) });
}

/** `speaker`: what the source says about the speaker, outside the content. */
export function readBedrockMessage(
  message: JsonObject,
  at: string,
  speaker?: Parameters<typeof assistantEntries>[1],
): readonly Entry[] {
  const pieces = readPieces(ownValue(message, 'content'), `${at}.content`, readBlock);
  switch (textAt(message, 'role')) {
    case 'user':
      return userEntries(pieces);
    case 'assistant':
      return assistantEntries(pieces, speaker);
    case 'system':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    default:
      return [unknownEntry(at, message)];
  }
}

function readBlock(block: JsonObject): Piece | undefined {
  const use = objectAt(block, 'toolUse');
  if (use !== undefined) {
    const tool = textAt(use, 'name');
    if (tool === undefined) return undefined;
    const executedBy = textAt(use, 'type') === 'server_tool_use' ? ('provider' as const) : undefined;
    return {
      call: { tool, id: textAt(use, 'toolUseId'), input: valueAt(use, 'input'), executed_by: executedBy },
    };
  }
  const result = objectAt(block, 'toolResult');
  if (result !== undefined) return { result: readResult(result) };
  const text = textAt(block, 'text') ?? citedText(block);
  if (text !== undefined) return { text };
  return Object.keys(block).some((key) => UNSAID.has(key)) ? NOTHING : undefined;
}

function citedText(block: JsonObject): string | undefined {
  const content = listAt(objectAt(block, 'citationsContent'), 'content');
  return content?.map((part) => textAt(part, 'text') ?? '').join('');
}

const UNSAID: ReadonlySet<string> = new Set([
  'reasoningContent',
  'image',
  'document',
  'video',
  'audio',
  'guardContent',
  'cachePoint',
  'searchResult',
]);

function readResult(result: JsonObject): Omit<ResultEntry, 'kind'> {
  const parts = listAt(result, 'content') ?? [];
  const status = textAt(result, 'status');
  return {
    id: textAt(result, 'toolUseId'),
    output: outputOf(parts),
    status: status === 'error' ? 'error' : status === 'success' ? 'ok' : undefined,
  };
}

/** `[{json}]` is that JSON, texts are one text, anything else stays a list. */
function outputOf(parts: readonly Json[]): Json | undefined {
  const [first] = parts;
  if (parts.length === 1 && isJsonObject(first)) {
    const json = valueAt(first, 'json');
    if (json !== undefined) return json;
  }
  const texts = parts.map((part) => textAt(part, 'text'));
  return texts.includes(undefined) ? parts : readOutput(texts.join(''));
}
