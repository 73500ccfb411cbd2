import { compareTrajectory } from '../../match/trajectory/compare-trajectory.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import type { JsonObject } from '../../model/json.ts';
import { byType } from '../../schema/by-type.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { list } from '../../schema/list.ts';
import { mapOf, object } from '../../schema/object.ts';
import { refine } from '../../schema/refine.ts';
import { anyJson, boolean, jsonObject, number, oneOf, text } from '../../schema/values.ts';
import { madeCalls, unknownCalls } from '../made-calls.ts';
import { messageGroups } from '../message-groups.ts';
import { unmeasured } from '../unmeasured.ts';
import { doubtRepeats } from '../doubt-repeats.ts';
import { checkTrajectory, warnAboutCopiedFields } from './check-trajectory.ts';
import { explainTrajectory } from './explain-trajectory.ts';
import { milliseconds, toolCalls } from './limits.ts';
import { readTrajectory } from './trajectory-parameters.ts';
import { wantedTrajectory } from './wanted-trajectory.ts';

const argsMatch = {
  schema: byType({
    string: oneOf(['exact', 'partial', 'superset', 'deep_partial', 'subset', 'ignore']),
    array: list(text({ nonEmpty: true }), { nonEmpty: true, label: 'list of keys' }),
  }),
  doc: 'How arguments are compared, or a list of the keys that count, like `time.start`. Default: partial.',
};

const expectedCall = refine(
  object(
    {
      tool: { schema: text({ nonEmpty: true }), doc: 'The name of the tool.', missing: 'missing_tool' },
      args: {
        schema: byType({ object: jsonObject(), string: oneOf(['any']) }),
        doc: 'Keys its arguments must have, or `any`.',
      },
      input: { schema: anyJson(), doc: 'Read as `args`.' },
      output: { schema: anyJson(), doc: 'Kept, not judged.', null: 'value' },
      max_duration_ms: { schema: milliseconds, doc: 'The call may take this long.' },
      args_match: argsMatch,
    },
    { what: 'an expected call' },
  ),
  warnAboutCopiedFields,
);

const definition = defineEvaluator({
  kind: 'tool_trajectory',
  doc: 'Compares the tool calls with the expected ones.',
  fields: {
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
    args_match: argsMatch,
    parallel: {
      schema: oneOf(['any_order']),
      doc: 'With `exact` and `in_order`: the calls of one message may come in any order.',
    },
    counts: {
      schema: boolean(),
      doc: 'With `subset`: a call may be made only as often as it is listed. Default: false.',
    },
  },
  evaluate: evaluateTrajectory,
  doubts: ({ forbidden }) => doubtRepeats((forbidden ?? []) as readonly string[], 'forbidden tool'),
  oracle: (parameters) => wantedTrajectory(readTrajectory(parameters)),
});

export const toolTrajectory: EvaluatorKind = {
  ...definition,
  schema: refine(definition.schema, checkTrajectory),
};

function evaluateTrajectory(authored: JsonObject, { reply }: Evidence): AssertionOutcome {
  const calls = madeCalls(reply);
  if (calls === undefined) return unmeasured(unknownCalls(reply));
  const parameters = readTrajectory(authored);
  const { mode, expected, isParallel } = parameters;
  const groups = isParallel ? messageGroups(reply, calls) : undefined;
  const comparison = compareTrajectory(calls, { ...parameters, groups });
  if (expected === undefined && comparison.claims === 0)
    return unmeasured('nothing is claimed of the tool calls');
  return explainTrajectory(comparison, {
    mode,
    expected: expected ?? [],
    calls,
    authored,
    lacksMessages: isParallel && groups === undefined && calls.length > 1,
  });
}
