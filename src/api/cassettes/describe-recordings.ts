import {
  recordingName,
  type Cassette,
  type CassettePart,
  type Recording,
} from '../../evidence/cassettes/cassette.ts';
import { replayedExchange } from '../../evidence/cassettes/recorded-response.ts';
import { readModelCall } from '../../evidence/wire/read-model-call.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';

/** One recording in words. */
export interface DescribedRecording {
  readonly name: string;
  readonly step: number;
  readonly to: string;
  readonly model: string | undefined;
  /** The messages that the calls before it did not have. */
  readonly asked: readonly { readonly role: string; readonly text: string }[];
  readonly answered: string;
}

export function describeRecordings({ repeats }: Cassette): readonly DescribedRecording[] {
  return repeats.flatMap(({ repeat, agent, judge }) => [
    ...describePart(repeat, 'agent', agent),
    ...describePart(repeat, 'judge', judge),
  ]);
}

function describePart(
  repeat: number,
  part: CassettePart,
  recordings: readonly Recording[],
): readonly DescribedRecording[] {
  const seen = new Set<string>();
  return recordings.map((recording, index) => {
    const { request, step } = recording;
    const call = readModelCall(replayedExchange(recording, index + 1));
    const messages = call?.request.messages ?? [request.body];
    const fresh = messages.filter((message) => {
      const text = printJson(message);
      return seen.size < seen.add(text).size;
    });
    return {
      name: recordingName(repeat, part, index + 1),
      step,
      to: request.to,
      model: call?.request.model,
      asked: fresh.map(describeMessage),
      answered: describeAnswer(recording, call),
    };
  });
}

function describeMessage(message: Json): { readonly role: string; readonly text: string } {
  if (!isJsonObject(message)) return { role: 'request', text: printJson(message) };
  const { role, type, content, ...others } = message;
  const name = typeof role === 'string' ? role : typeof type === 'string' ? type : 'request';
  const text = [
    ...(content === undefined || content === null || content === '' ? [] : [textOf(content)]),
    ...(Object.keys(others).length === 0 ? [] : [printJson(others)]),
  ].join('\n');
  return { role: name, text };
}

function textOf(content: Json): string {
  return typeof content === 'string' ? content : printJson(content);
}

function describeAnswer({ response }: Recording, call: ReturnType<typeof readModelCall>): string {
  const { status, body, text = '', events = [] } = response;
  if (status === 0) return 'the connection failed';
  if (call?.outcome.kind !== 'answered')
    return `HTTP ${status} ${body === undefined ? text || `${events.length} events` : printJson(body)}`;
  const { answer } = call.outcome;
  const calls = answer.calls.map(({ tool, input }) => `${tool}(${printJson(input ?? {})})`);
  return [answer.text ?? answer.refusal ?? '', ...calls].filter((line) => line !== '').join('\n');
}
