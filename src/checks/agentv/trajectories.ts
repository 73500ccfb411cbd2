import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import { byType } from '../../base/schema/by-type.ts';
import { unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { list } from '../../base/schema/list.ts';
import { complete, object } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { jsonObject, number, oneOf, text } from '../../base/schema/values.ts';
import { defineSpelling } from '../contract/evaluator-spelling.ts';
import { checkTrajectory } from '../evaluators/check-trajectory.ts';
import { toolTrajectory } from '../evaluators/tool-trajectory.ts';
import { TRAJECTORY_FIELDS, type AuthoredTrajectory } from '../evaluators/trajectory-fields.ts';

/** Since AgentV 4, arguments must be equal unless something else is written. */
export const hyphenedTrajectory = defineSpelling({
  names: ['tool-trajectory'],
  doc: 'AgentV 4: `tool_trajectory`, with `args_match: exact` unless it says otherwise.',
  kind: toolTrajectory,
  readsNegation: true,
  fields: TRAJECTORY_FIELDS,
  translate({ negate, ...authored }, reader) {
    if (negate === true) return forbidding(authored) ?? refuseNegation(reader);
    checkTrajectory(authored, reader, authored as unknown as AuthoredTrajectory);
    const { args_match, expected } = authored;
    const comparesArgs =
      isJsonList(expected) && expected.some((call) => isJsonObject(call) && isJsonObject(call['args']));
    return args_match === undefined && comparesArgs ? { ...authored, args_match: 'exact' } : authored;
  },
});

/** "Not: this tool is called" is a forbidden tool. Other claims have no opposite here. */
function forbidding({ mode, expected = [], minimums = {}, ...others }: JsonObject): JsonObject | undefined {
  const calls = expected as readonly JsonObject[];
  const tools = [...calls.map(({ tool }) => tool as string), ...Object.keys(minimums as JsonObject)];
  const isPlain =
    ['any_order', 'superset', 'in_order'].includes(mode as string) &&
    calls.every((call) => others['args_match'] === 'ignore' || Object.keys(call).length === 1) &&
    Object.values(minimums as JsonObject).every((count) => count === 1);
  const { args_match: _ignored, ...rest } = others;
  return isPlain && tools.length === 1 ? { ...rest, forbidden: tools } : undefined;
}

const toolName = text({ nonEmpty: true });
const onlyTools = {
  schema: oneOf(['tool'], { hintFor: () => 'only tool calls can be compared' }),
  doc: 'Only `tool`.',
};

/** `name` or `pattern`; a pattern without wildcards is a name in letters of any case. */
const named = {
  name: { schema: toolName, doc: 'The tool.' },
  pattern: { schema: toolName, doc: 'The same.' },
  type: onlyTools,
};

const count = complete(
  object(
    {
      ...named,
      min: { schema: number({ min: 0, integer: true }), doc: 'At least this often. Default: 1.' },
      max: { schema: number({ min: 0, integer: true }), doc: 'At most this often.' },
    },
    { what: 'a tool that is used' },
  ),
);

export const toolUsed = defineSpelling({
  names: ['trajectory:tool-used'],
  doc: 'AgentV of July 2026: `tool_trajectory` with `minimums` and `maximums`; with `not-`, `forbidden`.',
  kind: toolTrajectory,
  readsNegation: true,
  fields: {
    value: {
      schema: byType({ string: toolName, array: list(toolName, { nonEmpty: true }), object: count }),
      doc: 'The tools, or one of them and how often it is used.',
      missing: 'missing_value',
    },
  },
  translate({ value, negate, ...others }, reader) {
    const read = { ...others, ignore_case: true };
    const isNegated = negate === true;
    if (!isJsonObject(value)) {
      const tools = (isJsonList(value) ? value : [value]) as readonly string[];
      for (const tool of tools) refuseWildcards(tool, reader, ['value']);
      return isNegated ? { ...read, forbidden: tools } : { ...read, minimums: eachTool(tools, 1) };
    }
    const { min = 1, max } = value as { readonly min?: number; readonly max?: number };
    const tool = nameOf(value, reader, ['value']);
    if (tool === undefined) return undefined;
    if (!isNegated)
      return {
        ...read,
        ...(min === 0 && max !== undefined ? {} : { minimums: { [tool]: min } }),
        ...(max === undefined ? {} : { maximums: { [tool]: max } }),
      };
    if (max === undefined && min > 0)
      return min === 1 ? { ...read, forbidden: [tool] } : { ...read, maximums: { [tool]: min - 1 } };
    if (max !== undefined && min === 0) return { ...read, minimums: { [tool]: max + 1 } };
    return refuseNegation(reader);
  },
});

const step = byType({ string: toolName, object: object(named, { what: 'a step' }) });

export const toolSequence = defineSpelling({
  names: ['trajectory:tool-sequence'],
  doc: 'AgentV of July 2026: `tool_trajectory` in order.',
  kind: toolTrajectory,
  readsNegation: true,
  fields: {
    value: {
      schema: byType({
        array: list(step, { nonEmpty: true }),
        object: complete(
          object(
            {
              mode: { schema: oneOf(['exact', 'in_order']), doc: 'Default: `in_order`.' },
              steps: { schema: list(step, { nonEmpty: true }), doc: 'The tools.', missing: 'missing_value' },
            },
            { what: 'a sequence of tools' },
          ),
        ),
      }),
      doc: 'The tools in their order.',
      missing: 'missing_value',
    },
  },
  translate({ value, negate, ...others }, reader) {
    const read = { ...others, ignore_case: true };
    if (negate === true) return refuseNegation(reader);
    const sequence = isJsonList(value) ? { steps: value } : (value as JsonObject);
    const steps = sequence['steps'] as readonly Json[];
    const path = isJsonList(value) ? ['value'] : ['value', 'steps'];
    const expected = steps.flatMap((each, index) => {
      const tool = nameOf(each, reader, [...path, index]);
      return tool === undefined ? [] : [{ tool }];
    });
    return { ...read, mode: ('mode' in sequence ? sequence['mode'] : undefined) ?? 'in_order', expected };
  },
});

export const toolArgsMatch = defineSpelling({
  names: ['trajectory:tool-args-match'],
  doc: 'AgentV of July 2026: `tool_trajectory` with the arguments of one call.',
  kind: toolTrajectory,
  readsNegation: true,
  fields: {
    value: {
      schema: complete(
        object(
          {
            ...named,
            args: {
              schema: jsonObject(),
              doc: 'Its arguments.',
              missing: 'missing_value',
              aliases: { arguments: jsonObject() },
            },
            mode: { schema: oneOf(['partial', 'exact']), doc: 'Default: `partial`.' },
            ...unsupportedFields({
              defaults: 'write the arguments that must be there',
              ignore: 'use `mode: partial`, and leave out these keys',
            }),
          },
          { what: 'a call of a tool' },
        ),
      ),
      doc: 'The tool and its arguments.',
      missing: 'missing_value',
    },
  },
  translate({ value, negate, ...others }, reader) {
    const read = { ...others, ignore_case: true };
    if (negate === true) return refuseNegation(reader);
    const { args, mode = 'partial' } = value as JsonObject;
    const tool = nameOf(value!, reader, ['value']);
    const args_match = mode === 'partial' ? 'deep_partial' : mode;
    return tool === undefined
      ? undefined
      : { ...read, mode: 'any_order', expected: [{ tool, args: args!, args_match }] };
  },
});

function eachTool(tools: readonly string[], calls: number): JsonObject {
  return Object.fromEntries(tools.map((tool) => [tool, calls]));
}

function nameOf(value: Json, reader: Reader, at: readonly (string | number)[]): string | undefined {
  const { pattern, name } = isJsonObject(value) ? value : { pattern: value, name: null };
  const tool = pattern ?? name;
  if (typeof tool === 'string') {
    refuseWildcards(tool, reader, at);
    return tool;
  }
  reader.error({ code: 'missing_tool', message: 'a tool needs `name` or `pattern`', at });
  return undefined;
}

function refuseWildcards(tool: string, reader: Reader, at: readonly (string | number)[]): void {
  if (!/[*?]/.test(tool)) return;
  reader.unsupported({
    message: `patterns of tool names (${JSON.stringify(tool)}) are not supported`,
    hint: 'name the tools one by one',
    at,
  });
}

function refuseNegation(reader: Reader): undefined {
  reader.error({
    code: 'negate',
    message: 'the negation of this claim about tool calls is not supported',
    hint: 'use `tool_trajectory` with `forbidden` or `maximums`',
    at: ['type'],
  });
}
