import type { Json } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';

/** What a stream of text held. */
export interface ParsedEvents {
  readonly events: readonly Json[];
  /** The end is missing: the last event or line is cut off, or one of them is not JSON. */
  readonly isBroken: boolean;
}

/**
 * Server-sent events whose data is JSON. Comments, ids and retries are left out, and so is `[DONE]`. The name of an event is
 * kept as `type` where its data is an object without one.
 */
export function parseServerSentEvents(text: string): ParsedEvents {
  const events: Json[] = [];
  let isBroken = false;
  let name: string | undefined;
  let data: string[] = [];
  const dispatch = (): void => {
    const joined = data.join('\n');
    const isEmpty = data.length === 0 || joined.trim() === '' || joined.trim() === DONE;
    const event = isEmpty ? undefined : tryParse(joined);
    if (event !== undefined) events.push(withName(event, name));
    else if (!isEmpty) isBroken = true;
    name = undefined;
    data = [];
  };
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') dispatch();
    else if (field === 'data') data.push(value ?? '');
    else if (field === 'event') name = value;
  }
  // The last event may lack its empty line.
  dispatch();
  return { events, isBroken };
}

const DONE = '[DONE]';

function withName(event: Json, name: string | undefined): Json {
  const isBare =
    typeof event === 'object' && event !== null && !Array.isArray(event) && !Object.hasOwn(event, 'type');
  return name !== undefined && name !== 'message' && isBare ? { type: name, ...event } : event;
}

/** One JSON value per line. Empty lines are left out. */
export function parseJsonLines(text: string): ParsedEvents {
  const events: Json[] = [];
  let isBroken = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n/)) {
    if (line.trim() === '') continue;
    const event = tryParse(line);
    if (event === undefined) isBroken = true;
    else events.push(event);
  }
  return { events, isBroken };
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
