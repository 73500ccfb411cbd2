import { isJsonObject, type Json, type JsonObject } from '../../../model/json.ts';
import { parseJson } from '../../../model/parse-json.ts';

export interface ServerSentEvents {
  /** The data of each event. Its name is not needed: each API repeats it in the data, or has none. */
  readonly events: readonly JsonObject[];
  /** `data: [DONE]` was sent. */
  readonly isDone: boolean;
  /** An event is not JSON: something is missing. */
  readonly isDamaged?: boolean | undefined;
}

export function readServerSentEvents(text: string): ServerSentEvents {
  const events: JsonObject[] = [];
  let isDone = false;
  let isDamaged = false;
  let data: string | undefined;
  const dispatch = (): void => {
    const value = data === undefined || data.trim() === '' ? undefined : parseData(data);
    if (value === DONE) isDone = true;
    else if (isJsonObject(value)) events.push(value);
    else if (value === null) isDamaged = true;
    data = undefined;
  };
  for (const line of text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n')) {
    if (line === '') dispatch();
    else if (line.startsWith('data:')) {
      const value = line.slice(line.startsWith(' ', 5) ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
    }
  }
  // The last event may lack its empty line. If it is half an event, the body was cut, which is no damage of its own.
  if (data !== undefined && parseData(data) !== null) dispatch();
  return { events, isDone, isDamaged };
}

const DONE = '[DONE]';

/** Null: neither JSON nor the end. */
function parseData(data: string): Json {
  if (data.trim() === DONE) return DONE;
  try {
    return parseJson(data);
  } catch {
    return null;
  }
}
