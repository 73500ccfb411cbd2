import { isJsonObject, ownValue, type Json, type JsonObject } from '../../base/model/json.ts';
import type { Doubt } from '../../base/model/reply.ts';
import { MESSAGES } from '../dialects/registry.ts';
import { OPENAI_CHAT_MESSAGES } from '../dialects/openai-chat-messages.ts';
import { anyProviderUsage, countAt, toUsage } from '../provider-usage.ts';
import { listAt, numberAt, objectAt, textAt, objectsAt } from '../foreign-fields.ts';
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
        const turns = chatTurns(loose, 1, 'asked');
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
  const turns = chatTurns(messages, line, 'asked');
  if (turns.length === 0) return undefined;
  const usage = objectAt(value, 'usage', 'token_usage');
  const metadata = objectAt(value, 'metadata');
  const scores = objectAt(value, 'scores');
  return {
    id: idText(ownValue(value, 'id')) ?? idText(ownValue(value, 'conversation_id')),
    target: textAt(value, 'target', 'model') ?? 'chat',
    line,
    turns: withFacts(turns, objectsAt(value, 'turns')),
    repeat: numberAt(value, 'repeat'),
    ...(scores === undefined ? {} : { scores }),
    token_usage: usage && anyProviderUsage(usage),
    cost_usd: numberAt(value, 'cost_usd', 'cost'),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

/** What `assay export` writes beside the messages. */
export function withFacts(
  turns: readonly RecordedTurn[],
  facts: readonly JsonObject[],
): readonly RecordedTurn[] {
  if (facts.length !== turns.length) return turns;
  return turns.map((turn, index): RecordedTurn => {
    const told = facts[index]!;
    const calls = listAt(told, 'tool_calls');
    const isRead = calls?.every((call) => textAt(call, 'tool') !== undefined) === true;
    const gap = objectAt(told, 'gap');
    return {
      ...turn,
      output: told['output'] === null ? undefined : turn.output,
      failure: textAt(told, 'error'),
      doubts: objectsAt(told, 'doubts').flatMap(doubtOf),
      memory: objectAt(told, 'memory'),
      token_usage: ownUsage(objectAt(told, 'token_usage')),
      usage_complete: ownValue(told, 'usage_complete') === false ? false : undefined,
      cost_usd: numberAt(told, 'cost_usd'),
      models: listAt(told, 'models')?.filter((model) => typeof model === 'string'),
      model_calls: numberAt(told, 'model_calls'),
      duration_ms: numberAt(told, 'duration_ms'),
      tool_calls: isRead ? (calls as unknown as RecordedTurn['tool_calls']) : undefined,
      gap: gap && { at: textAt(gap, 'at') ?? '', form: textAt(gap, 'form') ?? '' },
    };
  });
}

function doubtOf(told: JsonObject): readonly Doubt[] {
  const about = ABOUT.find((each) => each === textAt(told, 'about'));
  return about === undefined ? [] : [{ about, message: textAt(told, 'message') ?? '' }];
}

const ABOUT: readonly Doubt['about'][] = ['tokens', 'cost', 'duration', 'output'];

function ownUsage(usage: JsonObject | undefined): RecordedTurn['token_usage'] {
  const input = usage && countAt(usage, 'input');
  const output = usage && countAt(usage, 'output');
  if (usage === undefined || input === undefined || output === undefined) return undefined;
  return toUsage({ input, output, cached: countAt(usage, 'cached'), reasoning: countAt(usage, 'reasoning') });
}

/** In whichever provider's words; those of OpenAI where there is nothing but text. */
export function chatTurns(
  messages: readonly Json[],
  line: number,
  ends: 'asked' | 'whole' = 'whole',
): readonly RecordedTurn[] {
  const dialect = MESSAGES.find((each) => each.recognises(messages)) ?? OPENAI_CHAT_MESSAGES;
  const conversation = new Conversation(ends);
  conversation.add(dialect.read(messages, 'messages'), { line });
  return conversation.finish();
}
