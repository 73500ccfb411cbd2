import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { tryParseJson } from '../../base/model/parse-json.ts';
import type { AskedCall, Entry } from '../entry.ts';
import {
  listAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { anyProviderUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import type { Dialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, type Piece } from './pieces.ts';

/** What `run` of an Inngest AgentKit agent gives, the results of a network in order, and the network itself, whose state has them. */
export const AGENTKIT_RESULT: Dialect = {
  name: 'an AgentKit result',
  recognises: (value) => resultsIn(value) !== undefined,
  read: (value) => readResults(resultsIn(value)!, isJsonObject(value) && isResult(value)),
};

function resultsIn(value: Json): readonly JsonObject[] | undefined {
  if (isJsonList(value)) return value.length > 0 && value.every(isResult) ? value : undefined;
  if (!isJsonObject(value)) return undefined;
  if (isResult(value)) return [value];
  const results = listAt(objectAt(value, 'state') ?? value, '_results', 'results') ?? [];
  return results.length > 0 && results.every(isResult) ? results : undefined;
}

function isResult(value: Json): value is JsonObject {
  if (textAt(value, 'agentName') === undefined) return false;
  const messages = [...(listAt(value, 'output') ?? []), ...(listAt(value, 'toolCalls') ?? [])];
  return (
    listAt(value, 'output') !== undefined &&
    listAt(value, 'toolCalls') !== undefined &&
    messages.every(isMessage)
  );
}

function isMessage(message: Json): boolean {
  return (
    isJsonObject(message) &&
    ['text', 'tool_call', 'tool_result', 'reasoning'].includes(textAt(message, 'type') ?? '')
  );
}

function readResults(results: readonly JsonObject[], isOne: boolean): Trace {
  const entries = results.flatMap((result, index) => {
    const agent = textAt(result, 'agentName');
    const at = `results[${index}]`;
    const messages = [...(listAt(result, 'output') ?? []), ...(listAt(result, 'toolCalls') ?? [])];
    return messages.flatMap((message, place) =>
      readMessage(message, `${at}[${place}]`, { agent, ...rawOf(result, place) }),
    );
  });
  const trace = traceOfEntries(entries);
  // The result of one call of the model: whether there were others before it, it does not tell.
  return isOne
    ? { ...trace, is_last_response: true, ...(trace.token_usage && { usage_complete: false }) }
    : trace;
}

/** What the provider answered, as text. It belongs to the first message. */
function rawOf(result: JsonObject, place: number): Parameters<typeof assistantEntries>[1] {
  const raw = place === 0 ? textAt(result, 'raw') : undefined;
  if (raw === undefined || raw === '') return {};
  const body = tryParseJson(raw);
  const usage = objectAt(body, 'usage', 'usageMetadata');
  return { usage: usage && anyProviderUsage(usage), model: textAt(body, 'model', 'modelVersion') };
}

function readMessage(
  message: Json,
  at: string,
  speaker: Parameters<typeof assistantEntries>[1],
): readonly Entry[] {
  if (!isJsonObject(message)) return [unknownEntry(at, message)];
  switch (textAt(message, 'type')) {
    case 'text':
      return textAt(message, 'role') === 'assistant'
        ? assistantEntries(readPieces(valueAt(message, 'content'), `${at}.content`, readPart), speaker)
        : [];
    case 'tool_call': {
      const calls = objectsAt(message, 'tools').map(callOf);
      return assistantEntries({ calls, results: [], unknown: [] }, speaker);
    }
    case 'tool_result': {
      const tool = objectAt(message, 'tool');
      const content = objectAt(message, 'content');
      const error = valueAt(content, 'error');
      const output = readOutput(error ?? valueAt(content, 'data') ?? valueAt(message, 'content'));
      const status = error === undefined ? undefined : 'error';
      return [{ kind: 'result', id: textAt(tool, 'id'), tool: textAt(tool, 'name'), output, status }];
    }
    case 'reasoning':
      return [];
    default:
      return [unknownEntry(at, message)];
  }
}

function callOf(tool: JsonObject): AskedCall {
  return {
    tool: textAt(tool, 'name') ?? 'unknown',
    id: textAt(tool, 'id'),
    input: readArguments(valueAt(tool, 'input')),
  };
}

function readPart(part: JsonObject): Piece | undefined {
  return textAt(part, 'type') === 'text' ? { text: textAt(part, 'text') } : NOTHING;
}
