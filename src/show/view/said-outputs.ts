import { jsonEqual } from '../../base/match/json-equal.ts';
import { contentText } from '../../base/model/content-text.ts';
import type { Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { AttemptRecord, StepRecord } from '../../base/model/record.ts';

/** The steps, counted from 0, whose output stands in one of their messages. An agent that returns messages says it there. */
export function saidOutputs({ steps }: AttemptRecord): readonly number[] {
  return [...steps.keys()].filter((index) => isOutputSaid(steps[index]!));
}

function isOutputSaid({ output, output_messages: messages = [] }: StepRecord): boolean {
  return output !== undefined && messages.some(({ content }) => says(content ?? '', output));
}

/** Texts and parts are the output as text. Other content is JSON, in whatever layout. */
function says(content: Json, output: string): boolean {
  if (contentText(content, 'included') === output) return true;
  if (typeof content === 'string') return false;
  try {
    return jsonEqual(parseJson(output), content);
  } catch {
    return false;
  }
}
