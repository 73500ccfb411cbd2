import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { messageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** ModelMessages of the AI SDK: `tool-call` parts in assistant messages, `tool-result` parts in tool messages. */
export const AI_SDK_MESSAGES = messageDialect({ name: 'AI SDK messages', isMarked, readMessage });

function isMarked(message: JsonObject): boolean {
  if (textAt(message, 'role') === undefined) return false;
  return listAt(message, 'content')?.some((part) => isJsonObject(part) && isMarkedPart(part)) === true;
}

/** Whether no other framework writes such a part. */
export function isMarkedPart(part: JsonObject): boolean {
  const type = textAt(part, 'type') ?? '';
  if (CALL_PARTS.has(type))
    return textAt(part, 'toolName') !== undefined || textAt(part, 'toolCallId') !== undefined;
  return type === 'reasoning' && textAt(part, 'text') !== undefined;
}

const CALL_PARTS: ReadonlySet<string> = new Set(['tool-call', 'tool-result', 'tool-error']);

function readMessage(message: JsonObject, at: string): readonly Entry[] {
  const pieces = readPieces(ownValue(message, 'content'), `${at}.content`, readPart);
  switch (textAt(message, 'role')) {
    case 'system':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    case 'user':
      return userEntries(pieces);
    case 'tool':
      return [...pieces.results, ...pieces.unknown];
    case 'assistant':
      return assistantEntries(pieces);
    default:
      return [unknownEntry(at, message)];
  }
}

export function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  switch (type) {
    case 'text':
      return { text: textAt(part, 'text') };
    case 'tool-call':
      return readCall(part);
    case 'tool-result':
      // A preliminary result is followed by the final one.
      return ownValue(part, 'preliminary') === true ? NOTHING : { result: readResult(part) };
    case 'tool-error':
      return { result: readError(part) };
    default:
      return UNSAID.has(type) ? NOTHING : undefined;
  }
}

const UNSAID: ReadonlySet<string> = new Set([
  'reasoning',
  'redacted-reasoning',
  'reasoning-file',
  'file',
  'image',
  'source',
  'custom',
  'tool-approval-request',
  'tool-approval-response',
]);

function readCall(part: JsonObject): Piece | undefined {
  const tool = textAt(part, 'toolName');
  if (tool === undefined) return undefined;
  const executedBy = ownValue(part, 'providerExecuted') === true ? ('provider' as const) : undefined;
  const input = readArguments(valueAt(part, 'input', 'args'));
  return { call: { tool, id: textAt(part, 'toolCallId'), input, executed_by: executedBy } };
}

function readResult(part: JsonObject): Omit<ResultEntry, 'kind'> {
  const given = valueAt(part, 'output', 'result');
  const type = textAt(given, 'type');
  const named = { id: textAt(part, 'toolCallId'), tool: textAt(part, 'toolName') };
  if (isJsonObject(given) && type !== undefined && OUTPUTS.has(type)) {
    const failed = type.startsWith('error') || type === 'execution-denied';
    const output = readOutput(joinTexts(valueAt(given, 'value', 'reason')));
    return { ...named, output, ...(failed ? { status: 'error' } : {}) };
  }
  return {
    ...named,
    output: readOutput(given),
    ...(ownValue(part, 'isError') === true ? { status: 'error' } : {}),
  };
}

/** How a message writes the result that the model got. Results of a step contain what the tool returned. */
const OUTPUTS: ReadonlySet<string> = new Set([
  'text',
  'json',
  'error-text',
  'error-json',
  'content',
  'execution-denied',
]);

function joinTexts(value: Json | undefined): Json | undefined {
  if (!Array.isArray(value)) return value;
  const texts = (value as readonly Json[]).map((part) => textAt(part, 'text'));
  return texts.length === 0 || texts.includes(undefined) ? value : texts.join('');
}

/** `JSON.stringify` leaves nothing of an Error. */
function readError(part: JsonObject): Omit<ResultEntry, 'kind'> {
  const error = valueAt(part, 'error');
  const isLost = error === undefined || printJson(error) === '{}';
  const told = isJsonObject(error)
    ? (textAt(error, 'message') ?? textAt(objectAt(error, 'cause'), 'message'))
    : undefined;
  const output = isLost ? undefined : (told ?? readOutput(error));
  return { id: textAt(part, 'toolCallId'), tool: textAt(part, 'toolName'), output, status: 'error' };
}
