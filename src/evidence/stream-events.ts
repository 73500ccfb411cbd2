import { isJsonList, isJsonObject, type Json, type JsonObject } from '../model/json.ts';
import { parseJson } from '../model/parse-json.ts';

export interface StreamEvents {
  readonly events: readonly JsonObject[];
  /** `data: [DONE]` was sent. */
  readonly isDone: boolean;
  /** An event in the middle is not JSON: something is missing. */
  readonly isDamaged: boolean;
}

/** The events of a streamed body: server-sent events, or one JSON array. */
export function readStreamEvents(body: string): StreamEvents {
  const text = body.trimStart();
  return text.startsWith('[') || text.startsWith('{') ? readJsonBody(text) : readServerSentEvents(text);
}

function readJsonBody(text: string): StreamEvents {
  const value = tryParse(text);
  if (value === undefined) return { events: [], isDone: false, isDamaged: true };
  return {
    events: (isJsonList(value) ? value : [value]).filter(isJsonObject),
    isDone: false,
    isDamaged: false,
  };
}

/** The name of an event is not needed: each API repeats it in the data, or has none. */
function readServerSentEvents(text: string): StreamEvents {
  const events: JsonObject[] = [];
  let isDone = false;
  let isDamaged = false;
  let data: string | undefined;
  const dispatch = () => {
    if (data === undefined) return;
    if (data.trim() === '[DONE]') isDone = true;
    else {
      const value = tryParse(data);
      if (isJsonObject(value)) events.push(value);
      else if (data.trim() !== '') isDamaged = true;
    }
    data = undefined;
  };
  for (const line of linesOf(text)) {
    if (line === '') dispatch();
    else if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === SPACE ? 6 : 5);
      data = data === undefined ? value : `${data}\n${value}`;
    }
  }
  // The last event of a body that was cut is half an event, and no damage of its own.
  if (data !== undefined && (data.trim() === '[DONE]' || tryParse(data) !== undefined)) dispatch();
  return { events, isDone, isDamaged };
}

const SPACE = 0x20;

function linesOf(text: string): readonly string[] {
  return text.includes('\r') ? text.split(/\r\n|\r|\n/) : text.split('\n');
}

function tryParse(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
