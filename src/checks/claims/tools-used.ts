import type { ReplyRequirements } from '../../base/model/reply-requirements.ts';
import { isSameTool } from '../../base/match/same-tool.ts';
import { defineClaim } from '../contract/claim-kind.ts';
import { listOrOne } from '../../base/schema/list.ts';
import type { Schema } from '../../base/schema/schema.ts';
import { describe, quoteHint, subject, wrongType } from '../../base/schema/values.ts';
import { unknownCalls, usedTools } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';

/**
 * The name of a tool. A number or boolean can never equal one: the claim stays, and a warning says that it cannot
 * hold.
 */
const toolName: Schema<string | number | boolean> = {
  label: 'tool names',
  jsonSchema: { type: 'string' },
  read(value, reader) {
    if (typeof value === 'string') return value;
    if (typeof value !== 'number' && typeof value !== 'boolean')
      return wrongType(value, reader, { wanted: 'the name of a tool' });
    reader.warning({
      code: 'never_equal',
      message: `${subject(reader)} is ${describe(value)}, but tool names are strings: this claim can never pass`,
      hint: quoteHint(reader),
    });
    return value;
  },
};

export const toolNames = listOrOne(toolName);

export const toolsUsed = defineClaim({
  kind: 'tools_used',
  doc: 'Exactly these tools were used, in this order; `[]` means none.',
  example: ['search'],
  reads: ['tools'],
  states: { at: 'value', of: 'tools_used' },
  schema: toolNames,
  evaluate({ value }, { reply }) {
    const used = usedTools(reply);
    if (used === undefined) return unmeasured(unknownCalls(reply));
    const holds = areSameTools(value, used.names);
    return {
      score: holds ? 1 : 0,
      message: holds ? 'exactly these tools were used' : undefined,
      expected: value,
      actual: used.names,
      warnings: used.warnings,
    };
  },
  standsWithMoreCalls: ({ value }, { evidence }) => isMoreThan(value, evidence.reply.tools_used ?? []),
  oracle: ({ value }) => ({ ...wantedTools(value) }),
});

/** Whether the tools that were used cannot be a part of the wanted ones, in their order. */
export function isMoreThan(wanted: readonly (string | number | boolean)[], used: readonly string[]): boolean {
  let next = 0;
  for (const name of wanted)
    if (next < used.length && typeof name === 'string' && isSameTool(name, used[next]!)) next++;
  return next < used.length;
}

/** The same tools in the same order. */
export function areSameTools(
  wanted: readonly (string | number | boolean)[],
  used: readonly string[],
): boolean {
  return (
    wanted.length === used.length &&
    wanted.every((name, index) => typeof name === 'string' && isSameTool(name, used[index]!))
  );
}

export function wantedTools(
  names: readonly (string | number | boolean)[],
): Pick<ReplyRequirements, 'tools_used' | 'call_rule' | 'impossible'> {
  return names.every((name) => typeof name === 'string')
    ? { tools_used: names, call_rule: { sequence: names } }
    : { impossible: 'tool names are strings' };
}
