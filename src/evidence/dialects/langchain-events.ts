import type { Json, JsonObject } from '../../base/model/json.ts';
import { listAt, objectAt, textAt, valueAt } from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import type { Trace } from '../trace.ts';
import { withEarlyEnd, withFailure } from '../unfinished-trace.ts';
import { eventDialect } from './dialect.ts';
import { isLangchainMessage, LANGCHAIN_MESSAGES } from './langchain-messages.ts';

/** What `streamEvents` of LangChain gives: an event for each start and end of a chain, a model and a tool. Version 3 gives states. */
export const LANGCHAIN_EVENTS = eventDialect({ name: 'LangChain events', isMarked, read: readEvents });

function isMarked(event: JsonObject): boolean {
  if (/^on_(?:chain|chat_model|llm|tool)_(?:start|stream|end|error)$/.test(textAt(event, 'event') ?? ''))
    return textAt(event, 'run_id') !== undefined;
  return textAt(event, 'type') === 'event' && 'method' in event && objectAt(event, 'params') !== undefined;
}

function readEvents(events: readonly JsonObject[]): Trace {
  return events.some((event) => 'run_id' in event) ? readRuns(events) : readStates(events);
}

/** The first run is the whole: its end has all messages. Without them, each model and each tool tells its own. */
function readRuns(events: readonly JsonObject[]): Trace {
  const root = textAt(events[0], 'run_id');
  const end = events.findLast(
    (event) => textAt(event, 'run_id') === root && textAt(event, 'event')?.endsWith('_end'),
  );
  const output = valueAt(objectAt(end, 'data'), 'output');
  const messages = listAt(output, 'messages') ?? [];
  const isListed = messages.some(isLangchainMessage);
  const said = traceOfEntries(
    LANGCHAIN_MESSAGES.read(isListed ? messages : toldMessages(events), 'the events'),
  );
  const trace = typeof output === 'string' ? { ...said, output } : said;
  if (end !== undefined) return trace;
  const cut = withEarlyEnd(trace, { at: 'the events', form: 'the run did not end' });
  const error = events.findLast((event) => textAt(event, 'event')?.endsWith('_error'));
  if (error === undefined) return cut;
  const cause = valueAt(objectAt(error, 'data'), 'error');
  const text = typeof cause === 'string' ? cause : textAt(cause, 'message');
  return withFailure({ ...cut, output: undefined }, text ?? 'an error');
}

function toldMessages(events: readonly JsonObject[]): readonly Json[] {
  return events.flatMap((event) => {
    if (!/^on_(?:chat_model|tool)_end$/.test(textAt(event, 'event') ?? '')) return [];
    const output = valueAt(objectAt(event, 'data'), 'output');
    return output !== undefined && isLangchainMessage(output) ? [output] : [];
  });
}

/** Version 3: the last state of the whole graph. */
function readStates(events: readonly JsonObject[]): Trace {
  const own = events.filter((event) => (listAt(objectAt(event, 'params'), 'namespace') ?? []).length === 0);
  const dataOf = (event: JsonObject): JsonObject => objectAt(objectAt(event, 'params'), 'data') ?? {};
  const state = own.findLast((event) => textAt(event, 'method') === 'values');
  const trace = traceOfEntries(
    LANGCHAIN_MESSAGES.read(listAt(dataOf(state ?? {}), 'messages') ?? [], 'the state'),
  );
  const lifecycle =
    own
      .filter((event) => textAt(event, 'method') === 'lifecycle')
      .map(dataOf)
      .at(-1) ?? {};
  const how = textAt(lifecycle, 'event');
  if (how === 'completed' || how === 'interrupted') return trace;
  const cut = withEarlyEnd(trace, { at: 'the events', form: 'the run did not end' });
  return how === 'failed'
    ? withFailure({ ...cut, output: undefined }, textAt(lifecycle, 'error') ?? 'it failed')
    : cut;
}
