import { contentText, isParts } from '../base/model/content-text.ts';
import type { Evidence } from '../base/model/evidence.ts';
import type { Json } from '../base/model/json.ts';
import { contentOf, type Message } from '../base/model/message.ts';

/** The content of a message for comparison: parts become their text, and null is no content. */
export function givenContent(message: Message | undefined): Json | undefined {
  const content = message === undefined ? undefined : (contentOf(message) ?? undefined);
  return content !== undefined && isParts(content) ? contentText(content, 'bare') : content;
}

/** The agent's final answer: the content of its last message, else its output. */
export function replyContent({ reply }: Evidence): Json {
  return givenContent(reply.output_messages?.findLast(({ role }) => role === 'assistant')) ?? reply.output;
}
