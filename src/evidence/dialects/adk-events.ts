import { isJsonList, ownValue, type JsonObject } from '../../base/model/json.ts';
import type { Entry } from '../entry.ts';
import { objectAt, textAt } from '../foreign-fields.ts';
import { geminiUsage } from '../provider-usage.ts';
import { messageDialect } from './dialect.ts';
import { readContent } from './gemini-contents.ts';

/** Events of Google's ADK: contents of Gemini with an author. JavaScript writes `invocationId`, Python `invocation_id`. */
export const ADK_EVENTS = messageDialect({
  name: 'ADK events',
  isMarked,
  readMessage: readEvent,
  failureOf(events) {
    const last = events.findLast((event) => textAt(event, 'errorCode', 'error_code') !== undefined);
    return textAt(last, 'errorMessage', 'error_message', 'errorCode', 'error_code');
  },
});

function isMarked(event: JsonObject): boolean {
  return (
    textAt(event, 'invocationId', 'invocation_id') !== undefined &&
    textAt(event, 'author') !== undefined &&
    (objectAt(event, 'content', 'actions') !== undefined || Object.hasOwn(event, 'errorCode'))
  );
}

function readEvent(event: JsonObject, at: string): readonly Entry[] {
  // What streams in parts comes again as a whole.
  if (ownValue(event, 'partial') === true) return [];
  const content = objectAt(event, 'content');
  if (content === undefined) return [];
  const author = textAt(event, 'author');
  const entries = readContent(roleOf(content, author), `${at}.content`, {
    agent: author,
    usage: geminiUsage(objectAt(event, 'usageMetadata', 'usage_metadata')),
    model: textAt(event, 'modelVersion', 'model_version'),
  });
  return isJsonList(ownValue(content, 'parts')) ? entries : [];
}

/** The author names the speaker if the content does not. */
function roleOf(content: JsonObject, author: string | undefined): JsonObject {
  if (textAt(content, 'role') !== undefined) return content;
  return { ...content, role: author === 'user' ? 'user' : 'model' };
}
