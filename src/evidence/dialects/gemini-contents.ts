import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry, ResultEntry } from '../entry.ts';
import { listAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import type { MessageDialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** `functionCall` parts in the role `model`, `functionResponse` parts in the role `user`. Python writes them with underscores. */
export const GEMINI_CONTENTS: MessageDialect = {
  name: 'Gemini contents',
  recognises: (messages) => messages.every(isContent) && messages.some(isMarked),
  read: (messages, at) => messages.flatMap((message, index) => readContent(message, `${at}[${index}]`)),
};

function isContent(message: Json): boolean {
  return listAt(message, 'parts') !== undefined && !('kind' in (message as JsonObject));
}

function isMarked(message: Json): boolean {
  if (!isJsonObject(message)) return false;
  const parts = listAt(message, 'parts') ?? [];
  if (textAt(message, 'role') === 'model') return parts.some(isPart);
  return parts.some((part) => isJsonObject(part) && functionOf(part) !== undefined);
}

function isPart(part: Json): boolean {
  return isJsonObject(part) && !Object.hasOwn(part, 'type') && readPart(part) !== undefined;
}

function functionOf(part: JsonObject): JsonObject | undefined {
  return objectAt(part, 'functionCall', 'function_call', 'functionResponse', 'function_response');
}

/** One message. `speaker`: what the source says about the speaker, outside the parts. */
export function readContent(
  message: Json,
  at: string,
  speaker?: Parameters<typeof assistantEntries>[1],
): readonly Entry[] {
  if (!isJsonObject(message)) return [unknownEntry(at, message)];
  const pieces = readPieces(ownValue(message, 'parts'), `${at}.parts`, readPart);
  switch (textAt(message, 'role')) {
    case 'model':
      return assistantEntries(pieces, speaker);
    case 'system':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    case 'user':
    case 'function':
      return userEntries(pieces);
    default:
      // The role may be missing: then the parts show who speaks.
      if (pieces.calls.length > 0) return assistantEntries(pieces, speaker);
      return pieces.results.length > 0 ? userEntries(pieces) : [unknownEntry(at, message)];
  }
}

function readPart(part: JsonObject): Piece | undefined {
  const call = objectAt(part, 'functionCall', 'function_call');
  if (call !== undefined) {
    const tool = textAt(call, 'name');
    if (tool === undefined) return undefined;
    // A function without parameters is called without `args`.
    return { call: { tool, id: textAt(call, 'id'), input: readArguments(valueAt(call, 'args')) ?? {} } };
  }
  const response = objectAt(part, 'functionResponse', 'function_response');
  if (response !== undefined) return { result: readResponse(response) };
  const provided = readProvided(part);
  if (provided !== undefined) return provided;
  const text = textAt(part, 'text');
  if (text !== undefined) return ownValue(part, 'thought') === true ? NOTHING : { text };
  // Python writes null for all the fields that a part does not have.
  const told = Object.keys(part).filter((key) => part[key] !== null);
  return told.length === 0 || told.some((key) => UNSAID.has(key)) ? NOTHING : undefined;
}

/** Tools that the provider ran itself. */
function readProvided(part: JsonObject): Piece | undefined {
  const code = objectAt(part, 'executableCode', 'executable_code');
  if (code !== undefined) {
    return { call: { tool: 'code_execution', id: textAt(code, 'id'), input: code, executed_by: 'provider' } };
  }
  const done = objectAt(part, 'codeExecutionResult', 'code_execution_result');
  if (done !== undefined) {
    const outcome = textAt(done, 'outcome');
    const status = outcome === undefined ? undefined : outcome === 'OUTCOME_OK' ? 'ok' : 'error';
    const output = readOutput(valueAt(done, 'output'));
    return { result: { id: textAt(done, 'id'), tool: 'code_execution', output, status } };
  }
  const call = objectAt(part, 'toolCall', 'tool_call');
  if (call !== undefined) {
    const tool = toolType(call);
    if (tool === undefined) return undefined;
    return { call: { tool, id: textAt(call, 'id'), input: valueAt(call, 'args'), executed_by: 'provider' } };
  }
  const response = objectAt(part, 'toolResponse', 'tool_response');
  if (response === undefined) return undefined;
  return {
    result: { id: textAt(response, 'id'), tool: toolType(response), output: valueAt(response, 'response') },
  };
}

function toolType(call: JsonObject): string | undefined {
  return textAt(call, 'toolType', 'tool_type')?.toLowerCase();
}

/** Frameworks wrap what a tool gave back, because Gemini takes objects only. `{error}` tells that it failed. */
function readResponse(response: JsonObject): Omit<ResultEntry, 'kind'> {
  const tool = textAt(response, 'name');
  const given = valueAt(response, 'response');
  const id = textAt(response, 'id');
  if (!isJsonObject(given)) return { id, tool, output: readOutput(given) };
  const keys = Object.keys(given).sort().join();
  if (keys === 'error') return { id, tool, output: given, status: 'error' };
  const isWrapper = keys === 'output' || (keys === 'content,name' && textAt(given, 'name') === tool);
  return { id, tool, output: isWrapper ? readOutput(valueAt(given, 'output', 'content')) : given };
}

const UNSAID: ReadonlySet<string> = new Set([
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'videoMetadata',
  'thought',
  'thoughtSignature',
  'thought_signature',
  'audioTranscription',
  'speechMetadata',
]);
