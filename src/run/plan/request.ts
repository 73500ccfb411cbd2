import type { JsonObject } from '../../base/model/json.ts';
import { conversationText } from '../../base/model/content-text.ts';
import type { Message } from '../../base/model/message.ts';
import type { AgentRequest } from '../../base/model/reply.ts';

interface RequestParts {
  readonly input_messages: readonly Message[];
  /** What was said in the steps before. */
  readonly before: readonly Message[];
  readonly conversation_id: string;
  readonly memory: JsonObject;
  readonly settings: JsonObject | undefined;
  readonly workspace: string | undefined;
  readonly test: { readonly id: string; readonly file: string };
  readonly step: number;
  readonly attempt: number;
}

export function createRequest(parts: RequestParts): AgentRequest {
  const {
    input_messages,
    before,
    conversation_id,
    memory,
    settings = {},
    workspace,
    test,
    step,
    attempt,
  } = parts;
  return {
    // The agent can open the files that the parts name, or read them in the messages.
    input: conversationText(input_messages, 'named'),
    input_messages,
    messages: before.length === 0 ? input_messages : [...before, ...input_messages],
    conversation_id,
    memory,
    settings,
    ...(workspace !== undefined && { workspace }),
    test,
    step,
    attempt,
  };
}
