import { compareArguments } from '../../base/match/trajectory/compare-arguments.ts';
import { isJsonObject, type Json } from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { ModelToolCall } from '../llm/call-model.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { CannedReply, CannedTool } from './chat-config.ts';

/** Answers a call with the matching canned reply. A call without one is an error, which the model sees too. */
export function answerToolCall(
  { id, name, inputText }: ModelToolCall,
  tools: readonly CannedTool[],
): RecordedToolCall {
  const read = readInput(inputText);
  const call = { tool: name, input: read.input, id };
  const fail = (message: string): RecordedToolCall => ({ ...call, output: message, status: 'error' });
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) {
    const names = tools.map((candidate) => candidate.name).join(', ');
    return fail(`there is no tool "${name}"${names === '' ? '' : `: the tools are ${names}`}`);
  }
  if (!read.isJson) return fail(`the arguments of "${name}" are no JSON`);
  const reply = (tool.replies ?? []).find(({ when }) => when === undefined || fits(when, read.input));
  if (reply === undefined) return fail(`no canned reply of "${name}" fits these arguments`);
  return reply.throw === undefined ? { ...call, output: returned(reply), status: 'ok' } : fail(reply.throw);
}

/** Models leave the arguments empty if a tool takes none. */
function readInput(text: string): { readonly input: Json; readonly isJson: boolean } {
  if (text.trim() === '') return { input: {}, isJson: true };
  try {
    return { input: parseJson(text), isJson: true };
  } catch {
    return { input: text, isJson: false };
  }
}

/** Like the arguments of `tool_trajectory`: those keys must equal or match, others are free. */
function fits(when: NonNullable<CannedReply['when']>, input: Json): boolean {
  return (
    isJsonObject(input) && compareArguments({ tool: '', args: when, argsMatch: 'partial' }, input) === 'match'
  );
}

function returned({ return: value }: CannedReply): Json {
  return value ?? null;
}

/** What the model sees of an output. */
export function outputText({ output }: RecordedToolCall): string {
  return typeof output === 'string' ? output : printJson(output ?? null);
}
