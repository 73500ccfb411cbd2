import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import { listAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { type MessageDialect, eachMessage } from './dialect.ts';
import { joinSaid } from './mistral-entries.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** Steps of Gemini's interactions: what was said, calls and results side by side. Older versions write the content alone. */
export const GEMINI_STEPS: MessageDialect = {
  name: 'Gemini interaction steps',
  recognises: (steps) => steps.some((step) => isJsonObject(step) && isMarked(step)),
  read: (steps, at) => joinSaid(eachMessage(readStep)(steps, at)),
};

function isMarked(step: JsonObject): boolean {
  const type = textAt(step, 'type') ?? '';
  if (type === 'model_output' || type === 'user_input') return listAt(step, 'content') !== undefined;
  if (type === 'function_call')
    return (
      !('call_id' in step) && textAt(step, 'id') !== undefined && isJsonObject(ownValue(step, 'arguments'))
    );
  return type === 'function_result' && textAt(step, 'call_id') !== undefined;
}

function readStep(step: JsonObject, at: string): readonly Entry[] {
  const type = textAt(step, 'type') ?? '';
  const role = textAt(step, 'role') ?? ROLES.get(type);
  if (role !== undefined) {
    const content = readPieces(ownValue(step, 'content') ?? textAt(step, 'text'), `${at}.content`, readPart);
    return role === 'user' ? userEntries(content) : assistantEntries(content);
  }
  if (type === 'function_result')
    return [
      {
        kind: 'result',
        id: textAt(step, 'call_id'),
        tool: textAt(step, 'name'),
        output: resultOf(valueAt(step, 'result')),
        status: step['is_error'] === true ? 'error' : undefined,
      },
    ];
  if (type === 'function_call') return [{ kind: 'assistant', calls: [callOf(step, textAt(step, 'name'))] }];
  const own = /^(\w+)_(call|result)$/.exec(type);
  if (own !== null) return readProvided(step, own);
  if (MEDIA.has(type)) return assistantEntries({ calls: [], results: [], unknown: [] });
  return type === 'thought' ? [] : [unknownEntry(at, step)];
}

const ROLES: ReadonlyMap<string, string> = new Map([
  ['model_output', 'model'],
  ['user_input', 'user'],
  ['text', 'model'],
]);

/** Searches, code and MCP servers, which the provider runs itself. */
function readProvided(step: JsonObject, [, name, part]: RegExpExecArray): readonly Entry[] {
  const tool = name === 'mcp_server_tool' ? textAt(step, 'name') : name;
  if (part === 'call')
    return [{ kind: 'assistant', calls: [{ ...callOf(step, tool), executed_by: 'provider' }] }];
  return [{ kind: 'result', id: textAt(step, 'call_id'), tool, output: resultOf(valueAt(step, 'result')) }];
}

function callOf(step: JsonObject, tool = 'unknown') {
  return { tool, id: textAt(step, 'id'), input: readArguments(valueAt(step, 'arguments')) };
}

/** Texts are one text. */
function resultOf(result: Json | undefined): Json | undefined {
  if (!Array.isArray(result)) return readOutput(result);
  const texts = result.map((part: Json) => textAt(part, 'text'));
  return texts.length === 0 || texts.includes(undefined) ? (result as Json) : readOutput(texts.join(''));
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text') return { text: textAt(part, 'text') };
  return MEDIA.has(type) || type === 'thought' ? NOTHING : undefined;
}

const MEDIA: ReadonlySet<string> = new Set(['image', 'audio', 'document', 'video']);
