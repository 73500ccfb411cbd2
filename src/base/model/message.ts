import type { Json, JsonObject } from './json.ts';

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type Role = (typeof ROLES)[number];

/** One message of a conversation. Unknown fields are kept as they are. */
export interface Message extends JsonObject {
  readonly role: Role;
}

/** One tool call, as in a message's `tool_calls`. `input` is any JSON value. */
export interface ToolCall extends JsonObject {
  readonly tool: string;
}

/** The content of a message: text, an object, or a list of parts or of any JSON. Absent beside tool calls. */
export function contentOf(message: Message): Json | undefined {
  return message['content'];
}
