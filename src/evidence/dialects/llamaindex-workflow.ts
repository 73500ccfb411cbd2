import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
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
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';
import { assistantEntries, NOTHING, readPieces, unknownEntry, userEntries, type Piece } from './pieces.ts';

/** What `run` of a LlamaIndex agent workflow gives, which has the memory of the run, and the events of its stream. */
export const LLAMAINDEX_WORKFLOW: Dialect = {
  name: 'a LlamaIndex workflow result',
  recognises: (value) => (isJsonList(value) ? value.some(isMarkedEvent) : resultIn(value) !== undefined),
  read(value) {
    if (!isJsonList(value)) return readResult(resultIn(value)!);
    const end = value.findLast((event) => resultIn(event) !== undefined);
    return end === undefined ? readEvents(value) : readResult(resultIn(end)!);
  },
};

/** The data of the last event, or the event. */
function resultIn(value: Json): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const data = objectAt(value, 'data') ?? value;
  const state = objectAt(data, 'state') ?? {};
  return 'result' in data && objectAt(state, 'memory') !== undefined && 'currentAgentName' in state
    ? data
    : undefined;
}

function isMarkedEvent(event: Json): boolean {
  const data = objectAt(event, 'data');
  if (data === undefined) return false;
  return resultIn(event) !== undefined || (objectAt(data, 'toolKwargs') !== undefined && 'toolName' in data);
}

function readResult(data: JsonObject): Trace {
  const memory = objectAt(objectAt(data, 'state')!, 'memory')!;
  const messages = listAt(memory, 'messages', 'chatHistory') ?? [];
  const trace = traceOfEntries(
    messages.flatMap((message, index) => readMessage(message, `memory[${index}]`)),
  );
  const result = valueAt(data, 'result');
  return {
    ...trace,
    output: typeof result === 'string' ? result : result === undefined ? trace.output : printJson(result),
  };
}

/** Without its end, a stream tells of calls and results only. */
function readEvents(events: readonly Json[]): Trace {
  const datas = events.filter(isJsonObject).map((event) => objectAt(event, 'data') ?? {});
  const calls = datas.flatMap((data): readonly Entry[] => {
    const tool = textAt(data, 'toolName');
    if (tool === undefined) return [];
    const id = textAt(data, 'toolId');
    const output = objectAt(data, 'toolOutput');
    if (output === undefined)
      return [{ kind: 'assistant', calls: [{ tool, id, input: valueAt(data, 'toolKwargs') }] }];
    return [{ kind: 'result', id, tool, ...resultOf(output) }];
  });
  const trace = { ...traceOfEntries(calls), output: undefined };
  return withEarlyEnd(trace, { at: 'the stream', form: 'it ended early' });
}

function readMessage(message: Json, at: string): readonly Entry[] {
  if (!isJsonObject(message)) return [unknownEntry(at, message)];
  const options = objectAt(message, 'options');
  const result = objectAt(options, 'toolResult');
  if (result !== undefined) return [{ kind: 'result', id: textAt(result, 'id'), ...resultOf(result) }];
  const pieces = readPieces(valueAt(message, 'content'), `${at}.content`, readPart);
  switch (textAt(message, 'role')) {
    case 'user':
      // What else stands beside a message may be the result of a tool.
      return 'options' in message ? [unknownEntry(at, message)] : userEntries(pieces);
    case 'assistant':
      return assistantEntries({
        ...pieces,
        calls: [...pieces.calls, ...objectsAt(options, 'toolCall').flatMap(readCall)],
      });
    case 'system':
    case 'developer':
    case 'memory':
      return [{ kind: 'system', text: pieces.text ?? '' }];
    default:
      return [unknownEntry(at, message)];
  }
}

function readCall(call: JsonObject): readonly AskedCall[] {
  const tool = textAt(call, 'name');
  return tool === undefined
    ? []
    : [{ tool, id: textAt(call, 'id'), input: readArguments(valueAt(call, 'input')) }];
}

function resultOf(result: JsonObject) {
  const status =
    result['isError'] === true
      ? ('error' as const)
      : result['isError'] === false
        ? ('ok' as const)
        : undefined;
  return { output: readOutput(valueAt(result, 'result')), status };
}

function readPart(part: JsonObject): Piece | undefined {
  const type = textAt(part, 'type') ?? '';
  if (type === 'text') return { text: textAt(part, 'text') };
  return /^(?:image|image_url|audio|video|file|memory)$/.test(type) ? NOTHING : undefined;
}
