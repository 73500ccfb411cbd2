import { isJsonList, isJsonObject, type Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import {
  CASSETTE_VERSION,
  recordingName,
  type Cassette,
  type CassettePart,
  type RecordedResponse,
  type Recording,
} from './cassette.ts';
import { RequestWriter } from './continued-request.ts';
import { splitLines } from './text-lines.ts';

/** The text of a cassette's file: the same for the same recordings, and made to be read in a diff. */
export function printCassette({ file, test, target, repeats }: Cassette): string {
  const writer = new RequestWriter();
  const part = (repeat: number, name: CassettePart, recordings: readonly Recording[]): Json =>
    recordings.map((recording, index) => {
      const call = recordingName(repeat, name, index + 1);
      const request = writer.write(call, recording.request) as unknown as Json;
      return {
        call,
        step: recording.step,
        request: splitLines(request),
        response: splitLines(responseFields(recording.response)),
      };
    });
  const written = {
    assay_cassette: CASSETTE_VERSION,
    file,
    test,
    target,
    repeats: repeats.map(({ repeat, agent, judge }) => ({
      repeat,
      ...(agent.length > 0 && { agent: part(repeat, 'agent', agent) }),
      ...(judge.length > 0 && { judge: part(repeat, 'judge', judge) }),
    })),
  };
  return `${layOut(written, '')}\n`;
}

function responseFields(response: RecordedResponse): Json {
  const { status, headers, broken, time, body, events, text } = response;
  return {
    status,
    headers,
    ...(broken === true && { broken }),
    ...(time !== undefined && { time: { ...time } }),
    ...(body !== undefined && { body }),
    ...(events !== undefined && { events: events as unknown as Json }),
    ...(text !== undefined && { text }),
  };
}

const LONGEST_LINE = 100;

/** What fits on a line stands on one. Each event of a stream does in any case: there are many, and they are alike. */
function layOut(value: Json, margin: string, isOneLine = false): string {
  const short = printJson(value);
  if (isOneLine || (short.length + margin.length <= LONGEST_LINE && !short.includes('"$lines":')))
    return spaced(value);
  const inner = `${margin}  `;
  if (isJsonList(value))
    return `[\n${value.map((item) => inner + layOut(item, inner)).join(',\n')}\n${margin}]`;
  if (!isJsonObject(value)) return short;
  const fields = Object.keys(value).map((key) => {
    const field = value[key]!;
    const isEvents = key === 'events' && isJsonList(field) && 'status' in value;
    const printed = isEvents ? layOutEvents(field, inner) : layOut(field, inner);
    return `${inner}${JSON.stringify(key)}: ${printed}`;
  });
  return `{\n${fields.join(',\n')}\n${margin}}`;
}

function layOutEvents(events: readonly Json[], margin: string): string {
  const inner = `${margin}  `;
  return `[\n${events.map((event) => inner + layOut(event, inner, true)).join(',\n')}\n${margin}]`;
}

/** On one line, with spaces where people put them. */
function spaced(value: Json): string {
  if (isJsonList(value)) return `[${value.map(spaced).join(', ')}]`;
  if (!isJsonObject(value)) return printJson(value);
  const fields = Object.keys(value).map((key) => `${JSON.stringify(key)}: ${spaced(value[key]!)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
