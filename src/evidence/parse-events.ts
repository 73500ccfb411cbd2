import type { Json } from '../base/model/json.ts';
import { tryParseJson } from '../base/model/parse-json.ts';

/** What a stream of text held. */
export interface ParsedEvents {
  readonly events: readonly Json[];
  /** The end is missing: the last event or line is cut off, or one of them is not JSON. */
  readonly isBroken: boolean;
  /** Only the last event is cut off. */
  readonly isCut?: boolean | undefined;
  /** `[DONE]` came. */
  readonly isDone?: boolean | undefined;
}

/**
 * Server-sent events whose data is JSON. Comments, ids and retries are left out, and so is `[DONE]`. The name of an event is
 * kept as `type` where its data is an object without one, or beside its data where that is a list.
 */
export function parseServerSentEvents(text: string): ParsedEvents {
  const events: Json[] = [];
  let isBroken = false;
  let isDone = false;
  let name: string | undefined;
  let data: string | undefined;
  const dispatch = (): void => {
    const trimmed = data?.trim() ?? '';
    const event = trimmed === '' || trimmed === DONE ? undefined : tryParseJson(trimmed);
    if (event !== undefined) events.push(withName(event, name));
    else if (trimmed === DONE) isDone = true;
    else if (trimmed !== '') isBroken = true;
    name = undefined;
    data = undefined;
  };
  for (const line of linesOf(text.startsWith('\uFEFF') ? text.slice(1) : text)) {
    if (line === '') dispatch();
    else if (isField(line, 'data'))
      data = data === undefined ? valueOf(line, 5) : `${data}\n${valueOf(line, 5)}`;
    else if (isField(line, 'event')) name = valueOf(line, 6);
  }
  // The last event may lack its empty line.
  const wasBroken = isBroken;
  dispatch();
  return { events, isBroken, isCut: isBroken && !wasBroken, isDone };
}

const DONE = '[DONE]';

function linesOf(text: string): readonly string[] {
  return text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
}

/** A field may lack its value. */
function isField(line: string, name: string): boolean {
  return line.startsWith(name) && (line.length === name.length || line.startsWith(':', name.length));
}

function valueOf(line: string, start: number): string {
  return line.slice(line.startsWith(' ', start) ? start + 1 : start);
}

function withName(event: Json, name: string | undefined): Json {
  const isBare =
    typeof event === 'object' && event !== null && !Array.isArray(event) && !Object.hasOwn(event, 'type');
  if (name === undefined || name === 'message') return event;
  if (Array.isArray(event)) return { type: name, data: event };
  return isBare ? { type: name, ...event } : event;
}

/** One JSON value per line. Empty lines are left out. */
export function parseJsonLines(text: string): ParsedEvents {
  const events: Json[] = [];
  let isBroken = false;
  let isCut = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\n/)) {
    if (line.trim() === '') continue;
    const event = tryParseJson(line);
    isCut = event === undefined && !isBroken;
    if (event === undefined) isBroken = true;
    else events.push(event);
  }
  return { events, isBroken, ...(isCut && { isCut }) };
}
