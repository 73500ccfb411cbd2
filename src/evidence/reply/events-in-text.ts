import { parseServerSentEvents } from '../parse-events.ts';
import { isRecognised } from '../recognise.ts';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import { AgentError } from './agent-error.ts';

/** The events of a text that is a stream of a known framework or provider, as server-sent events. Half a stream is refused. */
export function eventsIn(text: string): readonly Json[] | undefined {
  if (!BEGINS_LIKE_EVENTS.test(text)) return undefined;
  const { events, isBroken } = parseServerSentEvents(text);
  if (events.length === 0 || !isRecognised(events)) {
    if (SECOND_EVENT.test(text)) throw new AgentError('contract', unknownEvents('returned', events));
    return undefined;
  }
  if (isBroken) throw new AgentError('contract', 'the stream that the agent returned breaks off');
  return events;
}

/** Objects of a stream, one by one: each says of what kind it is. */
export function isEvent(value: Json | undefined): boolean {
  return isJsonObject(value) && EVENT_KINDS.some((key) => typeof ownValue(value, key) === 'string');
}

const EVENT_KINDS = ['type', 'event'];

/** What the events of an unknown stream say is never the answer: a message names those that are known. */
export function unknownEvents(verb: string, events: readonly Json[]): string {
  const kinds = new Set(
    events.flatMap((event) =>
      isJsonObject(event)
        ? EVENT_KINDS.flatMap((key) => (typeof event[key] === 'string' ? event[key] : []))
        : [],
    ),
  );
  const shown = [...kinds].slice(0, 5).join(', ');
  return `the agent ${verb} a stream of events in a form that Assay does not know${shown === '' ? '' : ` (${shown})`}\nlet it return its answer as text or as \`output\`; Assay reads the streams of the AI SDK, OpenAI, Anthropic, Gemini, LangGraph, Mastra, ADK, Claude Code, Codex, Gemini CLI and opencode`;
}

const SECOND_EVENT = /data:[^\n]*\n[\s\S]*\n?data:/;
const BEGINS_LIKE_EVENTS = /^\s*(?:(?::|event:|id:|retry:)[^\n]*\n\s*)*data:/;
