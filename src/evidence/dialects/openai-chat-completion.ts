import { isJsonObject, type JsonObject } from '../../model/json.ts';
import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { OPENAI_CHAT } from '../wire/apis/openai-chat.ts';
import { modelResponse } from './model-response.ts';

/** What `chat.completions.create` gives, and the chunks of its stream. Compatible servers may leave out `object`. */
export const OPENAI_CHAT_COMPLETION = modelResponse({
  name: 'an OpenAI chat completion',
  api: OPENAI_CHAT,
  isBody: (body) => {
    const message = choiceField(body, 'message');
    if (message === undefined) return false;
    return textAt(body, 'object') === 'chat.completion' || ('content' in message && 'role' in message);
  },
  isEvent: (event) =>
    textAt(event, 'object') === 'chat.completion.chunk' || choiceField(event, 'delta') !== undefined,
  isKnownEvent: (event) => ['choices', 'usage', 'error'].some((name) => name in event),
});

function choiceField(body: JsonObject, name: string): JsonObject | undefined {
  const choice = listAt(body, 'choices')?.[0];
  return isJsonObject(choice) ? objectAt(choice, name) : undefined;
}
