import { isJsonList, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import { objectAt } from '../foreign-fields.ts';
import { traceOfEntries } from '../trace-of-entries.ts';
import { objectDialect } from './dialect.ts';
import { PYDANTIC_AI_MESSAGES, pydanticAiUsage } from './pydantic-ai-messages.ts';

/** The result of a Pydantic AI run: its output, and the messages in its state or next to it. */
export const PYDANTIC_AI_RESULT = objectDialect({
  name: 'a Pydantic AI result',
  isMarked: (value) => messagesOf(value) !== undefined,
  read(result) {
    const { messages, at } = messagesOf(result)!;
    const trace = traceOfEntries(PYDANTIC_AI_MESSAGES.read(messages, at));
    const output = ownValue(result, 'output') ?? ownValue(result, 'data') ?? null;
    // The usage of a result is that of its run alone.
    const usage = pydanticAiUsage(objectAt(result, 'usage'));
    return {
      ...trace,
      output: typeof output === 'string' ? output : output === null ? trace.output : printJson(output),
      ...(usage === undefined ? {} : { token_usage: usage }),
    };
  },
});

const LISTS = ['all_messages', 'new_messages', 'messages', 'message_history', '_all_messages'];

function messagesOf(
  result: JsonObject,
): { readonly messages: readonly Json[]; readonly at: string } | undefined {
  if (!Object.hasOwn(result, 'output') && !Object.hasOwn(result, 'data')) return undefined;
  const state = objectAt(result, '_state', 'state') ?? {};
  const places = [
    ...LISTS.map((at) => ({ at, messages: ownValue(result, at) })),
    { at: '_state.message_history', messages: ownValue(state, 'message_history') },
  ];
  const found = places.find(
    ({ messages }) => isJsonList(messages) && PYDANTIC_AI_MESSAGES.recognises(messages),
  );
  return found === undefined ? undefined : { messages: found.messages as readonly Json[], at: found.at };
}
