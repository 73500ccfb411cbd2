import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import {
  listAt,
  numberAt,
  objectAt,
  readArguments,
  readOutput,
  textAt,
  timeAt,
  valueAt,
  objectsAt,
} from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure } from '../unfinished-trace.ts';
import { eventDialect } from './dialect.ts';

/** What `copilot -p --output-format json` prints. It tells no tokens. */
export const COPILOT_EVENTS = eventDialect({
  name: 'Copilot CLI events',
  isMarked: isCopilotEvent,
  read: readEvents,
});

export function isCopilotEvent(event: JsonObject): boolean {
  const type = textAt(event, 'type') ?? '';
  const data = objectAt(event, 'data') ?? {};
  if (type === 'assistant.message') return listAt(data, 'toolRequests') !== undefined || 'messageId' in data;
  return /^tool\.execution_(?:start|complete)$/.test(type) && textAt(data, 'toolCallId') !== undefined;
}

function readEvents(events: readonly JsonObject[]): Trace {
  const end = events.findLast((event) => textAt(event, 'type') === 'result');
  const trace = {
    ...traceOfEntries(events.flatMap(readCopilotEvent)),
    session_id: textAt(end, 'sessionId'),
    model_calls: events.filter((event) => textAt(event, 'type') === 'assistant.message').length || undefined,
    duration_ms: numberAt(objectAt(end, 'usage'), 'sessionDurationMs'),
  };
  if (end === undefined) return withEarlyEnd(trace, { at: 'the events', form: 'the session did not end' });
  const code = numberAt(end, 'exitCode') ?? 0;
  const error = events.findLast((event) => /(?:^|\.)error$/.test(textAt(event, 'type') ?? ''));
  if (code === 0) return trace;
  return withFailure(trace, textAt(objectAt(error, 'data'), 'message') ?? `it ended with code ${code}`);
}

export function readCopilotEvent(event: JsonObject): readonly Entry[] {
  const data = objectAt(event, 'data') ?? {};
  // What a sub-agent does has the call that started it.
  const isSub = textAt(data, 'parentToolCallId') !== undefined ? { isSub: true, agent: 'sub-agent' } : {};
  switch (textAt(event, 'type')) {
    case 'user.message':
      return [{ kind: 'user', text: textAt(data, 'content') ?? '' }];
    case 'assistant.message': {
      const calls = objectsAt(data, 'toolRequests').map((request) => ({
        tool: textAt(request, 'name') ?? 'unknown',
        id: textAt(request, 'toolCallId'),
        input: readArguments(valueAt(request, 'arguments')),
        asked_ms: timeAt(event, 'timestamp'),
      }));
      return [
        { kind: 'assistant', text: textAt(data, 'content'), calls, model: textAt(data, 'model'), ...isSub },
      ];
    }
    case 'tool.execution_complete':
      return [
        {
          kind: 'result',
          id: textAt(data, 'toolCallId'),
          output: readOutput(outputOf(data)),
          status: data['success'] === false ? 'error' : data['success'] === true ? 'ok' : undefined,
          given_ms: timeAt(event, 'timestamp'),
        },
      ];
    default:
      return [];
  }
}

function outputOf(data: JsonObject): Json | undefined {
  const error = valueAt(data, 'error');
  if (error !== undefined) return isJsonObject(error) ? (textAt(error, 'message') ?? error) : error;
  const result = ownValue(data, 'result');
  return isJsonObject(result) ? (valueAt(result, 'content') ?? result) : result;
}
