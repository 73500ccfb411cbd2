import type { ArgsMatch, ExpectedCall, TrajectoryMode } from '../../match/trajectory/calls.ts';
import { compareTrajectory } from '../../match/trajectory/compare-trajectory.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import { byType } from '../../schema/by-type.ts';
import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { mapOf, object } from '../../schema/object.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, needsOneOf, refine } from '../../schema/refine.ts';
import { anyJson, jsonObject, number, oneOf, text } from '../../schema/values.ts';
import { madeCalls, unknownCalls } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { explainTrajectory } from './explain-trajectory.ts';

const argsMatch = {
  schema: oneOf(['exact', 'partial', 'ignore']),
  doc: 'How arguments are compared. Default: partial.',
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
      max_duration_ms: { schema: number({ min: 0 }), doc: 'The call may take this long.' },
      args_match: argsMatch,
    },
    { what: 'an expected call' },
  ),
  warnAboutCopiedFields,
);

const count = number({ min: 0, integer: true });

const definition = defineEvaluator({
  kind: 'tool_trajectory',
  doc: 'The tool calls that were made, against those expected.',
  fields: {
    mode: {
      schema: oneOf(['exact', 'in_order', 'any_order', 'unordered', 'subset']),
      doc: 'How the calls are compared; needed with `expected`.',
    },
    expected: { schema: list(expectedCall), doc: 'The expected calls.' },
    minimums: { schema: mapOf(count), doc: 'Tool name to the least number of calls.' },
    maximums: { schema: mapOf(count), doc: 'Tool name to the greatest number of calls.' },
    forbidden: { schema: list(text({ nonEmpty: true })), doc: 'Tools that must not be called.' },
    max_calls: { schema: count, doc: 'The greatest number of calls in all.' },
    args_match: argsMatch,
  },
  evaluate: evaluateTrajectory,
  oracle: wantedCalls,
});

export const toolTrajectory: EvaluatorKind = {
  ...definition,
  schema: refine(definition.schema, checkTrajectory),
};

function evaluateTrajectory(parameters: JsonObject, { reply }: Evidence): AssertionOutcome {
  const calls = madeCalls(reply);
  if (calls === undefined) return unmeasured(unknownCalls(reply));
  const {
    mode,
    minimums,
    maximums,
    forbidden,
    max_calls: maxCalls,
  } = parameters as unknown as TrajectoryParameters;
  const expected = readExpected(parameters);
  const comparison = compareTrajectory(calls, { mode, expected, minimums, maximums, forbidden, maxCalls });
  if (expected === undefined && comparison.claims === 0)
    return unmeasured('nothing is claimed of the tool calls');
  return explainTrajectory(comparison, { mode, expected: expected ?? [], calls, authored: parameters });
}

interface TrajectoryParameters {
  readonly mode?: TrajectoryMode;
  readonly minimums?: Readonly<Record<string, number>>;
  readonly maximums?: Readonly<Record<string, number>>;
  readonly forbidden?: readonly string[];
  readonly max_calls?: number;
}

function readExpected({
  expected,
  args_match: inherited = 'partial',
}: JsonObject): readonly ExpectedCall[] | undefined {
  if (expected === undefined) return undefined;
  return (expected as readonly JsonObject[]).map(({ tool, args, input, args_match, max_duration_ms }) => {
    const wanted = args ?? input;
    return {
      tool: tool as string,
      args: wanted === 'any' ? undefined : wanted,
      argsMatch: (args_match ?? inherited) as ArgsMatch,
      maxDurationMs: max_duration_ms as number | undefined,
    };
  });
}

function wantedCalls(parameters: JsonObject): WantedReply {
  const {
    mode,
    minimums = {},
    maximums = {},
    forbidden = [],
    max_calls,
  } = parameters as unknown as TrajectoryParameters;
  const calls = (readExpected(parameters) ?? []).map(({ tool, args, argsMatch: how }) =>
    args === undefined || how === 'ignore' ? { tool } : { tool, input: args },
  );
  for (const [tool, least] of Object.entries(minimums))
    for (let made = calls.filter((call) => call.tool === tool).length; made < least; made++)
      calls.push({ tool });
  const times = (tool: string, length: number) => ({ calls: Array.from({ length }, () => ({ tool })) });
  return {
    about: ['tools'],
    calls,
    tools_used: mode === 'exact' ? calls.map(({ tool }) => tool) : undefined,
    unwanted: [
      ...forbidden.map((tool) => times(tool, 1)),
      ...Object.entries(maximums).map(([tool, most]) => times(tool, most + 1)),
      ...(max_calls === undefined ? [] : [times('another_tool', max_calls + 1)]),
    ],
  };
}

function checkTrajectory(authored: Json, reader: Reader): void {
  needsOneOf(['expected', 'minimums', 'maximums', 'forbidden', 'max_calls'])(authored, reader);
  if (given(authored, 'expected') && !given(authored, 'mode')) {
    reader.error({
      code: 'missing_mode',
      message: '`expected` needs a `mode`',
      hint: 'add mode: in_order, or one of exact, any_order, unordered, subset',
    });
  }
  if (
    isJsonObject(authored) &&
    given(authored, 'mode') &&
    authored['mode'] !== 'any_order' &&
    !given(authored, 'expected')
  ) {
    reader.error({
      code: 'missing_expected',
      message: `the mode ${String(authored['mode'])} needs \`expected\``,
    });
  }
}

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
