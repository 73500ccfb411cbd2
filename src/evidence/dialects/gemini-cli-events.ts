import type { JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import type { AssistantEntry, Entry } from '../entry.ts';
import { numberAt, objectAt, readArguments, readOutput, textAt, timeAt, valueAt } from '../foreign-fields.ts';
import { countAt, inclusiveUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure, withEarlyEnd } from '../unfinished-trace.ts';
import { eventDialect } from './dialect.ts';
import { unknownEntry } from './pieces.ts';

/** What `gemini --output-format stream-json` prints. */
export const GEMINI_CLI_EVENTS = eventDialect({ name: 'Gemini CLI events', isMarked, read: readEvents });

function isMarked(event: JsonObject): boolean {
  switch (textAt(event, 'type')) {
    case 'init':
      return textAt(event, 'session_id') !== undefined && textAt(event, 'model') !== undefined;
    case 'tool_use':
      return textAt(event, 'tool_name') !== undefined && textAt(event, 'tool_id') !== undefined;
    case 'tool_result':
      return textAt(event, 'tool_id') !== undefined && textAt(event, 'status') !== undefined;
    case 'result':
      return textAt(event, 'status') !== undefined && objectAt(event, 'stats') !== undefined;
    default:
      return false;
  }
}

function readEvents(events: readonly JsonObject[]): Trace {
  const init = events.find((event) => textAt(event, 'type') === 'init') ?? {};
  const end = events.findLast((event) => textAt(event, 'type') === 'result');
  const stats = objectAt(end, 'stats') ?? {};
  const models = Object.keys(objectAt(stats, 'models') ?? {});
  const model = textAt(init, 'model');
  const trace: Trace = {
    ...traceOfEntries(readConversation(events)),
    token_usage: streamUsage(stats),
    models: models.length > 0 ? models : model === undefined ? undefined : [model],
    duration_ms: numberAt(stats, 'duration_ms'),
    session_id: textAt(init, 'session_id'),
  };
  if (end === undefined)
    return withEarlyEnd(trace, { at: 'the events', form: 'they ended without a result' });
  return textAt(end, 'status') === 'error' ? withFailure(trace, failureOf(events, end)) : trace;
}

function failureOf(events: readonly JsonObject[], end: JsonObject): string {
  const error = events.findLast((event) => textAt(event, 'type') === 'error');
  return textAt(objectAt(end, 'error'), 'message') ?? textAt(error, 'message') ?? 'an error';
}

/** Texts are pieces of one stream. Text after the tools is a separate message. */
function readConversation(events: readonly JsonObject[]): readonly Entry[] {
  const entries: Entry[] = [];
  for (const [index, event] of events.entries()) {
    switch (textAt(event, 'type')) {
      case 'message':
        addMessage(entries, event);
        break;
      case 'tool_use': {
        const tool = textAt(event, 'tool_name');
        const id = textAt(event, 'tool_id');
        const input = readArguments(valueAt(event, 'parameters')) ?? {};
        if (tool === undefined) entries.push(unknownEntry(`event ${index}`, event));
        else
          entries.push({
            kind: 'assistant',
            calls: [{ tool, id, input, asked_ms: timeAt(event, 'timestamp') }],
          });
        break;
      }
      case 'tool_result':
        entries.push(readResult(event));
        break;
      case 'init':
      case 'error':
      case 'result':
        break;
      default:
        entries.push(unknownEntry(`event ${index}`, event));
    }
  }
  return entries;
}

function addMessage(entries: Entry[], event: JsonObject): void {
  const text = textAt(event, 'content') ?? '';
  if (textAt(event, 'role') === 'user') {
    entries.push({ kind: 'user', text });
    return;
  }
  const last = entries.at(-1);
  if (last?.kind === 'assistant' && last.calls.length === 0) {
    entries[entries.length - 1] = { ...(last satisfies AssistantEntry), text: (last.text ?? '') + text };
  } else entries.push({ kind: 'assistant', text, calls: [] });
}

function readResult(event: JsonObject): Entry {
  const status = textAt(event, 'status');
  const error = objectAt(event, 'error');
  return {
    kind: 'result',
    id: textAt(event, 'tool_id'),
    output: readOutput(valueAt(event, 'output') ?? (error && (textAt(error, 'message') ?? error))),
    status: status === undefined ? undefined : status === 'success' ? 'ok' : 'error',
    given_ms: timeAt(event, 'timestamp'),
  };
}

/** `input_tokens` includes tokens read from a cache; only the total includes the thoughts. */
function streamUsage(stats: JsonObject | undefined): TokenUsage | undefined {
  const prompt = countAt(stats, 'input_tokens');
  const output = countAt(stats, 'output_tokens');
  const total = countAt(stats, 'total_tokens');
  const thoughts = total === undefined ? 0 : Math.max(0, total - (prompt ?? 0) - (output ?? 0));
  return inclusiveUsage({
    prompt,
    cached: countAt(stats, 'cached'),
    output: output === undefined ? undefined : output + thoughts,
    reasoning: thoughts === 0 ? undefined : thoughts,
  });
}
