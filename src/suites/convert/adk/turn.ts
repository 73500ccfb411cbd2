import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { ConversionLog } from '../conversion-log.ts';
import { itemsOf, textOf, type ForeignValue } from '../foreign-value.ts';
import { fieldInEitherCase, otherFieldsInEitherCase, type OtherField } from '../either-case.ts';

/** One turn of a conversation, as all shapes of ADK's files describe it. */
export interface Turn {
  readonly input: string;
  readonly reference: string | undefined;
  readonly calls: readonly JsonObject[];
  readonly rubrics: readonly JsonObject[];
}

interface TurnContext {
  readonly log: ConversionLog;
  /** Where its step is in the result. */
  readonly at: readonly PathSegment[];
}

const INVOCATION = [
  'invocation_id',
  'user_content',
  'final_response',
  'intermediate_data',
  'creation_timestamp',
  'rubrics',
];

/** A turn of an eval set. Undefined if the user says nothing. */
export function readInvocation(turn: ForeignValue, context: TurnContext): Turn | undefined {
  const { log, at } = context;
  const input = contentText(fieldInEitherCase(turn, 'user_content'), 'user_content', context);
  if (input === undefined) {
    log.broken({ code: 'missing_input', message: 'this turn has no text of the user', from: turn.path }, at);
    return undefined;
  }
  const data = fieldInEitherCase(turn, 'intermediate_data');
  for (const other of otherFieldsInEitherCase(turn, INVOCATION)) loseField(other, context);
  return {
    input,
    reference: contentText(fieldInEitherCase(turn, 'final_response'), 'final_response', context),
    calls: data === undefined ? [] : readCalls(data, context),
    rubrics: readRubrics(fieldInEitherCase(turn, 'rubrics'), context),
  };
}

/** The texts of the parts, joined as ADK joins them; undefined if there is none. */
function contentText(
  content: ForeignValue | undefined,
  name: string,
  { log, at }: TurnContext,
): string | undefined {
  const parts = content === undefined ? [] : itemsOf(fieldInEitherCase(content, 'parts'));
  const texts: string[] = [];
  for (const part of parts) {
    const text = textOf(fieldInEitherCase(part, 'text'));
    if (text !== undefined) texts.push(text);
    if (text !== undefined && fieldInEitherCase(part, 'thought')?.value === true)
      log.warn({
        code: 'thought_joined',
        message: `a thought of the model is part of the text of \`${name}\`, as in ADK`,
        hint: 'remove it if agents only return their answer',
        from: part.path,
      });
    for (const other of otherFieldsInEitherCase(part, ['text', 'thought', 'thought_signature']))
      log.lostField(other, { what: `${name}: ${other.path.at(-1)}`, why: 'only text is converted', at });
  }
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** `tool_uses`, or the calls among the events of newer files. */
function readCalls(data: ForeignValue, context: TurnContext): readonly JsonObject[] {
  const { log, at } = context;
  const calls: JsonObject[] = [];
  const add = (call: ForeignValue): void => {
    const tool = textOf(fieldInEitherCase(call, 'name'));
    if (tool === undefined || tool === '')
      log.broken({ code: 'missing_tool', message: 'this tool call has no `name`', from: call.path }, at);
    else calls.push(toCall(tool, fieldInEitherCase(call, 'args')?.value));
  };
  for (const call of itemsOf(fieldInEitherCase(data, 'tool_uses'))) add(call);
  for (const event of itemsOf(fieldInEitherCase(data, 'invocation_events'))) {
    const content = fieldInEitherCase(event, 'content');
    for (const part of content === undefined ? [] : itemsOf(fieldInEitherCase(content, 'parts'))) {
      const call = fieldInEitherCase(part, 'function_call');
      if (call !== undefined) add(call);
      else if (otherFieldsInEitherCase(part, []).length > 0) loseIntermediate(part, context);
    }
  }
  for (const name of ['intermediate_responses', 'tool_responses']) {
    const said = fieldInEitherCase(data, name);
    if (said !== undefined && itemsOf(said).length > 0) loseIntermediate(said, context);
  }
  for (const other of otherFieldsInEitherCase(data, DATA)) loseField(other, context);
  return calls;
}

const DATA = ['tool_uses', 'invocation_events', 'intermediate_responses', 'tool_responses'];

function loseIntermediate({ path, value }: ForeignValue, { log, at }: TurnContext): void {
  const why = 'text between the tool calls is not compared';
  log.lost({ what: 'intermediate_responses', why, from: path, at, value });
}

export function toCall(tool: string, args: Json | undefined): JsonObject {
  return { tool, args: isJsonObject(args) ? args : {} };
}

/** `{ rubric_id, rubric_content: { text_property } }` */
export function readRubrics(
  field: ForeignValue | undefined,
  { log, at }: TurnContext,
): readonly JsonObject[] {
  const rubrics: JsonObject[] = [];
  const ids = new Set<string>();
  for (const each of itemsOf(field)) {
    const content = fieldInEitherCase(each, 'rubric_content');
    const text = content && textOf(fieldInEitherCase(content, 'text_property'));
    const id = textOf(fieldInEitherCase(each, 'rubric_id'));
    if (text === undefined || text.trim() === '')
      log.lostField(each, { what: 'rubric', why: 'it has no text', at });
    else rubrics.push({ ...(id && !ids.has(id) ? { id } : {}), expected_outcome: text });
    if (id !== undefined) ids.add(id);
  }
  return rubrics;
}

export function loseField(field: OtherField, { log, at }: TurnContext): void {
  log.lostField(field, { why: field.why, at });
}
