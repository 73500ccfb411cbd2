import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import { MESSAGES } from '../dialects/registry.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import { anyProviderUsage } from '../provider-usage.ts';
import { listAt, numberAt, objectAt, textAt } from '../foreign-fields.ts';
import { Conversation } from './conversation.ts';
import { idText, type Recording, type RecordedTurn, type RecordingFormat } from './recording.ts';

/** Conversations as model APIs take them: an object with `messages` per line, or a file of messages. */
export const CHAT: RecordingFormat = {
  name: 'chat',
  title: 'chat messages',
  recognises: ([first]) => first !== undefined && (messagesOf(first) !== undefined || isMessage(first)),
  open({ name }) {
    const loose: JsonObject[] = [];
    return {
      add(value, line) {
        const messages = messagesOf(value);
        if (messages === undefined) return void loose.push(value);
        const recording = conversationOf(value, messages, line);
        return recording === undefined ? [] : [{ ...recording, id: recording.id ?? `${name}:${line}` }];
      },
      end() {
        const turns = chatTurns(loose, 1);
        return turns.length === 0 ? [] : [{ id: name, target: 'chat', line: 1, turns }];
      },
    };
  },
};

/** Only where nothing else in the object says that another tool wrote it. */
function messagesOf(value: JsonObject): readonly Json[] | undefined {
  const messages = listAt(value, 'messages', 'conversation');
  return messages !== undefined && messages.length > 0 && messages.every(isMessage) && !('info' in value)
    ? messages
    : undefined;
}

function isMessage(value: Json): boolean {
  return isJsonObject(value) && ROLES.has(textAt(value, 'role') ?? '') && !('test_id' in value);
}

const ROLES: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
  'model',
]);

function conversationOf(
  value: JsonObject,
  messages: readonly Json[],
  line: number,
): (Omit<Recording, 'id'> & { readonly id?: string | undefined }) | undefined {
  const turns = chatTurns(messages, line);
  if (turns.length === 0) return undefined;
  const usage = objectAt(value, 'usage', 'token_usage');
  const metadata = objectAt(value, 'metadata');
  return {
    id: idText(ownValue(value, 'id')) ?? idText(ownValue(value, 'conversation_id')),
    target: textAt(value, 'target', 'model') ?? 'chat',
    line,
    turns,
    token_usage: usage && anyProviderUsage(usage),
    cost_usd: numberAt(value, 'cost_usd', 'cost'),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** In whichever provider's words; those of OpenAI where there is nothing but text. */
export function chatTurns(messages: readonly Json[], line: number): readonly RecordedTurn[] {
  const dialect = MESSAGES.find((each) => each.recognises(messages)) ?? OPENAI_CHAT_MESSAGES;
  const conversation = new Conversation();
  conversation.add(dialect.read(messages, 'messages'), { line });
  return conversation.finish();
}
