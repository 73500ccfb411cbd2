import type { Json } from '../../base/model/json.ts';
import { comparable, comparableObject } from '../../base/match/matchers/comparable.ts';
import { byType } from '../../base/schema/by-type.ts';
import { list } from '../../base/schema/list.ts';
import { complete, mapOf, object, type CompleteOf, type Fields } from '../../base/schema/object.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { given, refine } from '../../base/schema/refine.ts';
import type { Infer } from '../../base/schema/schema.ts';
import { anyJson, boolean, number, oneOf, text } from '../../base/schema/values.ts';
import { milliseconds, toolCalls } from './limits.ts';

const argsMatch = {
  schema: byType({
    string: oneOf(['exact', 'partial', 'superset', 'deep_partial', 'subset', 'ignore']),
    array: list(text({ nonEmpty: true }), { nonEmpty: true, label: 'list of keys' }),
  }),
  doc: 'How arguments are compared, or a list of the keys that count, like `time.start`. Default: partial.',
};

const expectedCall = refine(
  complete(
    object(
      {
        tool: { schema: text({ nonEmpty: true }), doc: 'The name of the tool.', missing: 'missing_tool' },
        args: {
          schema: byType({ object: comparableObject({ of: 'arguments' }), string: oneOf(['any']) }),
          doc: 'Keys its arguments must have, with values or matchers; a matcher for all of them; or `any`.',
        },
        input: { schema: comparable({ of: 'arguments' }), doc: 'Read as `args`.' },
        output: { schema: anyJson(), doc: 'Kept, not judged.', null: 'value' },
        max_duration_ms: { schema: milliseconds, doc: 'The call may take this long.' },
        args_match: argsMatch,
      },
      { what: 'an expected call' },
    ),
  ),
  warnAboutCopiedFields,
);

/** What may be written in a `tool_trajectory`. */
export const TRAJECTORY_FIELDS = {
  mode: {
    schema: oneOf(['exact', 'in_order', 'any_order', 'superset', 'unordered', 'subset']),
    doc: 'How to compare the calls; required with `expected`.',
  },
  expected: { schema: list(expectedCall), doc: 'The expected calls.' },
  minimums: {
    schema: mapOf(number({ min: 0, integer: true })),
    doc: 'The minimum number of calls of each tool.',
  },
  maximums: { schema: mapOf(toolCalls), doc: 'The maximum number of calls of each tool.' },
  forbidden: { schema: list(text({ nonEmpty: true })), doc: 'Tools that must not be called.' },
  max_calls: { schema: toolCalls, doc: 'The maximum number of calls in total.' },
  agent: {
    schema: text({ nonEmpty: true }),
    doc: 'Only the calls of this agent, where there are several: `main`, or a name. `forbidden` applies to all of them.',
  },
  args_match: argsMatch,
  parallel: {
    schema: oneOf(['any_order']),
    doc: 'With `exact` and `in_order`: the calls of one message may come in any order.',
  },
  counts: {
    schema: boolean(),
    doc: 'With `subset`: a call may be made only as often as it is listed. Default: false.',
  },
  ignore_case: {
    schema: boolean(),
    doc: 'Compare the names of tools without case. Default: false.',
  },
} as const satisfies Fields;

export type AuthoredTrajectory = CompleteOf<typeof TRAJECTORY_FIELDS>;
export type AuthoredCall = Infer<typeof expectedCall>;
export type AuthoredArgsMatch = Infer<typeof argsMatch.schema>;

function warnAboutCopiedFields(authored: Json, reader: Reader): void {
  if (given(authored, 'input')) {
    reader.warning({
      code: 'read_as_args',
      message: '`input` is read as `args`',
      hint: 'write `args`',
      at: ['input'],
      onKey: true,
    });
  }
  if (given(authored, 'input') && given(authored, 'args')) {
    reader.error({
      code: 'given_twice',
      message: '`input` and `args` are the same field; give one of them',
      at: ['input'],
      onKey: true,
    });
  }
  if (given(authored, 'output')) {
    reader.warning({
      code: 'not_judged',
      message: '`output` is kept and not judged',
      at: ['output'],
      onKey: true,
    });
  }
}
