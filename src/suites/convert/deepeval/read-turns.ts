import { readJson } from '../../formats/read-json.ts';
import { isJsonList, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { ConversionLog } from '../conversion-log.ts';
import { fieldOf, itemsOf, otherFields, textOf, type ForeignValue } from '../foreign-value.ts';

interface Step {
  readonly input: string;
  expected_output?: string;
}

interface TurnContext {
  readonly log: ConversionLog;
  /** Where the steps are in the result. */
  readonly at: readonly PathSegment[];
}

/** The turns of a conversation, as steps: what the user says, and what the assistant answered. */
export function readTurns(field: ForeignValue | undefined, { log, at }: TurnContext): readonly JsonObject[] {
  const steps: Step[] = [];
  for (const turn of turnList(field, log, at)) {
    const role = textOf(fieldOf(turn, 'role'));
    const content = textOf(fieldOf(turn, 'content'));
    const last = steps.at(-1);
    if (role === 'user' && content !== undefined && content !== '') steps.push({ input: content });
    else if (
      role === 'assistant' &&
      content !== undefined &&
      last !== undefined &&
      last.expected_output === undefined
    )
      last.expected_output = content;
    else {
      const why = 'a step is one text from the user and one answer';
      log.lostField(turn, { what: 'turn', why, at: [...at, steps.length] });
      continue;
    }
    for (const other of otherFields(turn, KNOWN)) {
      if (isJsonList(other.value) && other.value.length === 0) continue;
      const what = `turns.${other.path.at(-1)}`;
      log.lostField(other, { what, why: 'a step does not say it', at: [...at, steps.length - 1] });
    }
  }
  return steps.map((step) => ({ ...step }));
}

const KNOWN: ReadonlySet<string> = new Set(['role', 'content']);

/** A list, or its JSON as text. */
function turnList(
  field: ForeignValue | undefined,
  log: ConversionLog,
  at: readonly PathSegment[],
): readonly ForeignValue[] {
  if (field === undefined || isJsonList(field.value)) return itemsOf(field);
  const read = readJson(String(field.value));
  // Inside of a text there are no places: all of them are at the text.
  if ('value' in read && isJsonList(read.value))
    return read.value.map((value, index) => ({ value, path: [...field.path, index] }));
  log.broken({ code: 'not_readable', message: '`turns` is not a list of turns', from: field.path }, at);
  return [];
}
