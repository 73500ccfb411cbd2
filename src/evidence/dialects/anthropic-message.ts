import { listAt, objectAt, textAt } from '../foreign-fields.ts';
import { ANTHROPIC } from '../wire/apis/anthropic-messages.ts';
import { modelResponse } from './model-response.ts';

/** What `messages.create` of Anthropic gives, and the events of its stream. */
export const ANTHROPIC_MESSAGE = modelResponse({
  name: 'an Anthropic message',
  api: ANTHROPIC,
  isBody: (body) =>
    textAt(body, 'type') === 'message' &&
    textAt(body, 'role') === 'assistant' &&
    listAt(body, 'content') !== undefined &&
    ('stop_reason' in body || 'model' in body),
  isEvent: (event) => {
    const type = textAt(event, 'type');
    if (type === 'message_start') return objectAt(event, 'message') !== undefined;
    return type === 'content_block_start' || type === 'content_block_delta';
  },
  isKnownEvent: (event) => /^(message_|content_block_|ping$|error$)/.test(textAt(event, 'type') ?? ''),
});
