import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';

export interface EventLines {
  readonly events: readonly JsonObject[];
  /** The other lines, such as warnings of the program. */
  readonly rest: string;
  /** A line that begins as an event and is not whole. */
  readonly broken?: string | undefined;
}

/** The events that a program printed, one on each line. */
export function readEventLines(text: string): EventLines {
  const events: JsonObject[] = [];
  const rest: string[] = [];
  let broken: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const event = line.trimStart().startsWith('{') ? tryParse(line) : undefined;
    if (event !== undefined && isJsonObject(event)) events.push(event);
    else if (line.trim() !== '') rest.push(line);
    if (event === undefined && EVENT.test(line)) broken ??= line;
  }
  return { events, rest: rest.map((line) => `${line}\n`).join(''), broken };
}

const EVENT = /^\s*\{\s*"/;

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
