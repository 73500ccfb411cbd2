import type { JsonObject } from '../model/json.ts';
import { conversationText } from '../model/content-text.ts';
import type { Message } from '../model/message.ts';
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
  // The agent can open the files that the parts name, or read them in the messages.
  return { input: conversationText(input_messages, 'named'), input_messages, memory, test, step, attempt };
}
