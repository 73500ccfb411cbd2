import { isJsonList, isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { textAt } from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure, withEarlyEnd } from '../unfinished-trace.ts';
import type { Dialect } from './dialect.ts';
import { readAnswer } from './ui-messages.ts';

/** The events that a chat route of the AI SDK answers with (`toUIMessageStreamResponse`). */
export const UI_MESSAGE_STREAM: Dialect = {
  name: 'an AI SDK UI message stream',
  recognises: (value) => isJsonList(value) && value.every(isEvent) && value.some(isMarked),
  read: (value) => readStream((value as readonly Json[]).filter(isJsonObject)),
};

function isEvent(event: Json): boolean {
  return textAt(event, 'type') !== undefined;
}

function isMarked(event: Json): boolean {
  if (!isJsonObject(event)) return false;
  const type = textAt(event, 'type') ?? '';
  if (type === 'text-delta') return textAt(event, 'delta') !== undefined && textAt(event, 'id') !== undefined;
  return (type.startsWith('tool-input-') || type.startsWith('tool-output-')) && isCall(event);
}

function isCall(event: JsonObject): boolean {
  return textAt(event, 'toolCallId') !== undefined && !Object.hasOwn(event, 'toolCall');
}

function readStream(events: readonly JsonObject[]): Trace {
  const error = events.find((event) => textAt(event, 'type') === 'error');
  const isWhole = events.some((event) => textAt(event, 'type') === 'finish') && error === undefined;
  // A call whose arguments never came to an end was not made.
  const parts = partsOf(events).filter(({ state }) => isWhole || state !== 'input-streaming');
  const trace = traceOfEntries(readAnswer(parts, 'the stream'));
  if (isWhole) return trace;
  if (error === undefined) return withEarlyEnd(trace, { at: 'the stream', form: 'it ended early' });
  const problem = textAt(error, 'errorText') ?? 'an error';
  return withFailure(withEarlyEnd(trace, { at: 'the stream', form: problem }), problem);
}

/** The parts of the message that the events build. */
function partsOf(events: readonly JsonObject[]): readonly JsonObject[] {
  const parts: Record<string, Json>[] = [];
  const byId = new Map<string, Record<string, Json>>();
  const add = (id: string, part: Record<string, Json>): Record<string, Json> => {
    parts.push(part);
    byId.set(id, part);
    return part;
  };
  for (const event of events) {
    const type = textAt(event, 'type') ?? '';
    const id = `${type.split('-')[0]} ${textAt(event, 'toolCallId', 'id') ?? ''}`;
    if (type === 'start-step') parts.push({ type: 'step-start' });
    else if (type === 'text-start') add(id, { type: 'text', text: '' });
    else if (type === 'text-delta') {
      const part = byId.get(id) ?? add(id, { type: 'text', text: '' });
      part['text'] = String(part['text']) + (textAt(event, 'delta') ?? '');
    } else if (STATES.has(type)) {
      const part = byId.get(id) ?? add(id, {});
      Object.assign(part, event, { type: 'dynamic-tool', state: STATES.get(type) });
    } else if (type.startsWith('tool-output-') && ownValue(event, 'preliminary') !== true) {
      const part = byId.get(id) ?? add(id, { toolCallId: textAt(event, 'toolCallId') ?? '' });
      Object.assign(part, { ...event, type: 'dynamic-tool', state: type.slice('tool-'.length) });
    } else if (!KNOWN.test(type)) parts.push(event);
  }
  return parts;
}

const STATES: ReadonlyMap<string, string> = new Map([
  ['tool-input-start', 'input-streaming'],
  ['tool-input-available', 'input-available'],
  ['tool-input-error', 'output-error'],
]);

/** Parts of other events, and what says nothing of calls and texts. */
const KNOWN =
  /^(start|finish|finish-step|reset-step|abort|error|message-metadata|ping|custom|steering-message|file|reasoning.*|source-.*|data-.*|text-end|tool-input-delta|tool-output-available|tool-approval-.*)$/;
