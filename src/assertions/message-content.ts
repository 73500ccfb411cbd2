import type { Evidence } from '../model/evidence.ts';
import type { Json } from '../model/json.ts';
import { contentOf, type Message } from '../model/message.ts';

/** The content of a message; null is no content. */
export function givenContent(message: Message | undefined): Json | undefined {
  return message === undefined ? undefined : (contentOf(message) ?? undefined);
}

/** What the agent finally said: the content of its last message, else its output. */
export function replyContent({ reply }: Evidence): Json {
  return givenContent(reply.output_messages?.findLast(({ role }) => role === 'assistant')) ?? reply.output;
}
