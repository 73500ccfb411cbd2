import { isRecognised } from '../evidence/recognise.ts';
import { readStreamEvents } from '../evidence/stream-events.ts';
import type { JsonObject } from '../model/json.ts';

/** The events of a text that is a stream of a known framework or provider, as server-sent events. */
export function eventsIn(text: string): readonly JsonObject[] | undefined {
  if (!BEGINS_LIKE_EVENTS.test(text)) return undefined;
  const { events } = readStreamEvents(text);
  return events.length > 0 && isRecognised(events) ? events : undefined;
}

const BEGINS_LIKE_EVENTS = /^\s*(?:(?::[^\n]*|(?:event|id|retry):[^\n]*)\r?\n)*\s*(?:event|data|id):/;
