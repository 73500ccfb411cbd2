import type { JsonObject } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { addAll } from '../../base/model/usage.ts';
import type { AskedCall, Entry } from '../entry.ts';
import { numberAt, objectAt, readArguments, readOutput, textAt, valueAt } from '../foreign-fields.ts';
import { countAt, toUsage } from '../provider-usage.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withFailure, withEarlyEnd } from '../unfinished-trace.ts';
import { eventDialect } from './dialect.ts';
import { unknownEntry } from './pieces.ts';

/** What `opencode run --format json` prints. The call that makes a title for the session is not in it. */
export const OPENCODE_EVENTS = eventDialect({ name: 'opencode events', isMarked, read: readEvents });

function isMarked(event: JsonObject): boolean {
  if (textAt(event, 'sessionID') === undefined) return false;
  return textAt(objectAt(event, 'part'), 'type') !== undefined || textAt(event, 'type') === 'error';
}

function readEvents(events: readonly JsonObject[]): Trace {
  const ends = events.filter((event) => textAt(event, 'type') === 'step_finish');
  const lastStart = events.findLastIndex((event) => textAt(event, 'type') === 'step_start');
  const isWhole = ends.length > 0 && events.lastIndexOf(ends.at(-1)!) > lastStart;
  const error = events.find((event) => textAt(event, 'type') === 'error');
  const trace: Trace = {
    ...traceOfEntries(readParts(events)),
    model_calls: ends.length === 0 ? undefined : ends.length,
    cost_usd: addAll(ends.map((event) => numberAt(objectAt(event, 'part'), 'cost'))),
    session_id: events.flatMap((event) => textAt(event, 'sessionID') ?? [])[0],
  };
  const ended = isWhole
    ? trace
    : withEarlyEnd(trace, { at: 'the events', form: 'the last step did not end' });
  return error === undefined ? ended : withFailure(ended, errorText(objectAt(error, 'error') ?? error));
}

function errorText(error: JsonObject): string {
  return textAt(objectAt(error, 'data'), 'message') ?? textAt(error, 'message', 'name') ?? 'an error';
}

/** All parts of one message share its id. Its usage is in the part that ends the step. */
function readParts(events: readonly JsonObject[]): readonly Entry[] {
  return events.flatMap((event, index): readonly Entry[] => {
    const part = objectAt(event, 'part') ?? {};
    const id = textAt(part, 'messageID');
    switch (textAt(event, 'type')) {
      case 'text':
        return [{ kind: 'assistant', id, text: textAt(part, 'text') ?? '', calls: [] }];
      case 'tool_use': {
        const call = readCall(part);
        return call === undefined
          ? [unknownEntry(`event ${index}`, event)]
          : [{ kind: 'assistant', id, calls: [call] }];
      }
      case 'step_finish':
        return [{ kind: 'assistant', id, calls: [], usage: tokensOf(objectAt(part, 'tokens')) }];
      case 'step_start':
      case 'reasoning':
      case 'error':
        return [];
      default:
        return [unknownEntry(`event ${index}`, event)];
    }
  });
}

export function readCall(part: JsonObject): AskedCall | undefined {
  const tool = textAt(part, 'tool');
  const state = objectAt(part, 'state');
  if (tool === undefined) return undefined;
  const status = textAt(state, 'status');
  const time = objectAt(state, 'time');
  const [start, end] = [numberAt(time, 'start'), numberAt(time, 'end')];
  const isDone = status === 'completed' || status === 'error';
  return {
    tool,
    id: textAt(part, 'callID'),
    input: readArguments(valueAt(state, 'input')),
    ...(isDone
      ? {
          result: {
            output: readOutput(valueAt(state, 'output', 'error')),
            status: status === 'error' ? 'error' : 'ok',
            duration_ms: start === undefined || end === undefined ? undefined : end - start,
          },
        }
      : {}),
  };
}

/** The counts do not overlap, except that reasoning, which is in the total, may or may not be in `output`. */
export function tokensOf(tokens: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(tokens, 'input');
  const output = countAt(tokens, 'output');
  if (input === undefined || output === undefined) return undefined;
  const cache = objectAt(tokens, 'cache');
  const [read, written] = [countAt(cache, 'read'), countAt(cache, 'write') ?? 0];
  const reasoning = countAt(tokens, 'reasoning');
  const total = countAt(tokens, 'total');
  const generated = total === undefined ? output + (reasoning ?? 0) : total - input - (read ?? 0) - written;
  return toUsage({ input: input + written, output: Math.max(output, generated), cached: read, reasoning });
}
