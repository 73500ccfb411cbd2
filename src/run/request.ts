import type { JsonObject } from '../model/json.ts';
import { contentOf, type Message } from '../model/message.ts';
import { printJson } from '../model/print-json.ts';
import type { AgentRequest } from '../model/reply.ts';

interface RequestParts {
  readonly input_messages: readonly Message[];
  readonly memory: JsonObject;
  readonly test: { readonly id: string; readonly file: string };
  readonly step: number;
  readonly attempt: number;
}

export function createRequest(parts: RequestParts): AgentRequest {
  const { input_messages, memory, test, step, attempt } = parts;
  return { input: inputText(input_messages), input_messages, memory, test, step, attempt };
}

/** The text of a single user message; several messages as blocks that say who speaks. */
function inputText(messages: readonly Message[]): string {
  const [first] = messages;
  if (messages.length === 1 && first?.role === 'user') return contentText(first);
  return messages.map((message) => `@[${capitalize(message.role)}]:\n${contentText(message)}`).join('\n\n');
}

function contentText(message: Message): string {
  const content = contentOf(message);
  if (content === undefined || content === null)
    return message['tool_calls'] === undefined ? '' : printJson(message['tool_calls'], '  ');
  return typeof content === 'string' ? content : printJson(content, '  ');
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
