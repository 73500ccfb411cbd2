import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
  HumanMessage: 'user',
  AIMessage: 'assistant',
  SystemMessage: 'system',
  ToolMessage: 'tool',
  FunctionMessage: 'tool',
};

/** The messages of a value, if it is one or a list of them. */
export function readMessages(value: Json): readonly JsonObject[] | undefined {
  if (!isJsonList(value)) {
    const message = readMessage(value);
    return message && [message];
  }
  const messages = value.map(readMessage);
  return messages.length > 0 && messages.every((message) => message !== undefined) ? messages : undefined;
}

/** `{ type, data: { content } }`, a serialized constructor, or `{ role, content }`. */
function readMessage(value: Json): JsonObject | undefined {
  if (!isJsonObject(value)) return undefined;
  const { role, type, data, kwargs, id } = value;
  if (typeof role === 'string') return toMessage(role, value);
  if (type === 'constructor' && isJsonList(id) && isJsonObject(kwargs))
    return toMessage(String(id.at(-1)), kwargs);
  if (typeof type !== 'string') return undefined;
  return isJsonObject(data) ? toMessage(type, data) : toMessage(type, value);
}

function toMessage(name: string, fields: JsonObject): JsonObject | undefined {
  const role = Object.hasOwn(ROLES, name) ? ROLES[name] : undefined;
  const content = fields['content'] ?? null;
  if (role === undefined || (content === null && !isJsonList(fields['tool_calls']))) return undefined;
  const calls = toolCalls(fields['tool_calls']);
  const called = fields['name'];
  return {
    role,
    content,
    ...(typeof called === 'string' ? { name: called } : {}),
    ...(calls === undefined ? {} : { tool_calls: calls }),
  };
}

/** LangChain's calls have `name` and `args`; OpenAI's have a `function` with JSON as text. */
function toolCalls(value: Json | undefined): readonly JsonObject[] | undefined {
  if (!isJsonList(value) || value.length === 0) return undefined;
  return value.filter(isJsonObject).map((call) => {
    const called = isJsonObject(call['function']) ? call['function'] : call;
    const args = called['args'] ?? called['arguments'] ?? {};
    return {
      tool: String(called['name'] ?? ''),
      input: typeof args === 'string' ? readArguments(args) : args,
    };
  });
}

function readArguments(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
