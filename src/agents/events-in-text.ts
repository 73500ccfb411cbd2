import { parseServerSentEvents } from '../evidence/parse-events.ts';
import { isRecognised } from '../evidence/recognise.ts';
import type { Json } from '../model/json.ts';
import { AgentError } from './contract.ts';

/** The events of a text that is a stream of a known framework or provider, as server-sent events. Half a stream is refused. */
export function eventsIn(text: string): readonly Json[] | undefined {
  if (!BEGINS_LIKE_EVENTS.test(text)) return undefined;
  const { events, isBroken } = parseServerSentEvents(text);
  if (events.length === 0 || !isRecognised(events)) return undefined;
  if (isBroken) throw new AgentError('contract', 'the stream that the agent returned breaks off');
  return events;
}

const BEGINS_LIKE_EVENTS = /^\s*(?:(?::|event:|id:|retry:)[^\n]*\n\s*)*data:/;
