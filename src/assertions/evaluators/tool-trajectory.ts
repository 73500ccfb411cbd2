import type { ArgsMatch, ExpectedCall, TrajectoryMode } from '../../match/trajectory/calls.ts';
import { compareTrajectory } from '../../match/trajectory/compare-trajectory.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import { isJsonObject, type Json, type JsonObject } from '../../model/json.ts';
import { byType } from '../../schema/by-type.ts';
import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { mapOf, object } from '../../schema/object.ts';
import type { Reader } from '../../schema/reader.ts';
import { given, needsOneOf, refine } from '../../schema/refine.ts';
import { anyJson, jsonObject, number, oneOf, text } from '../../schema/values.ts';
import { madeCalls, unknownCalls } from '../made-calls.ts';
import { unmeasured } from '../unmeasured.ts';
import { doubtRepeats } from '../doubt-repeats.ts';
import { warnAboutVacuousCheck } from '../vacuous-check.ts';
import { explainTrajectory } from './explain-trajectory.ts';
import { milliseconds, toolCalls } from './limits.ts';
import { wantedTrajectory } from './wanted-trajectory.ts';

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
      max_duration_ms: { schema: milliseconds, doc: 'The call may take this long.' },
      args_match: argsMatch,
    },
    { what: 'an expected call' },
  ),
  warnAboutCopiedFields,
);

const definition = defineEvaluator({
  kind: 'tool_trajectory',
  doc: 'The tool calls that were made, against those expected.',
  fields: {
    mode: {
      schema: oneOf(['exact', 'in_order', 'any_order', 'unordered', 'subset']),
      doc: 'How the calls are compared; needed with `expected`.',
    },
    expected: { schema: list(expectedCall), doc: 'The expected calls.' },
    minimums: {
      schema: mapOf(number({ min: 0, integer: true })),
      doc: 'Tool name to the least number of calls.',
    },
    maximums: { schema: mapOf(toolCalls), doc: 'Tool name to the greatest number of calls.' },
    forbidden: { schema: list(text({ nonEmpty: true })), doc: 'Tools that must not be called.' },
    max_calls: { schema: toolCalls, doc: 'The greatest number of calls in all.' },
    args_match: argsMatch,
  },
  evaluate: evaluateTrajectory,
  doubts: ({ forbidden }) => doubtRepeats((forbidden ?? []) as readonly string[], 'forbidden tool'),
  oracle: (parameters) =>
    wantedTrajectory(parameters as unknown as TrajectoryParameters, readExpected(parameters)),
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

export interface TrajectoryParameters {
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
  warnAboutEmptyClaims(authored as JsonObject, reader);
}

/** What asks for nothing: no calls where others are allowed, no call at least, a list of no tools. */
function warnAboutEmptyClaims(authored: JsonObject, reader: Reader): void {
  const { mode, expected, minimums } = authored;
  const allowsOthers = mode === 'in_order' || mode === 'any_order' || mode === 'superset';
  if (allowsOthers && Array.isArray(expected) && expected.length === 0)
    warnAboutVacuousCheck(authored, reader, {
      why: `\`expected: []\` asks for no call, and \`${mode}\` allows others`,
      hint: 'list the expected calls; for no calls at all write mode: exact',
      at: ['expected'],
    });
  for (const [index, call] of (Array.isArray(expected) ? expected : []).entries()) {
    const own = call as JsonObject;
    if (!isJsonObject(own['args']) || (own['args_match'] ?? authored['args_match']) !== 'ignore') continue;
    reader.warning({
      code: 'without_effect',
      message: '`args` has no effect with args_match: ignore',
      hint: 'remove one of them',
      at: ['expected', index, 'args'],
      onKey: true,
    });
  }
  for (const name of ['minimums', 'maximums', 'forbidden']) {
    const claims = authored[name] ?? null;
    if (claims !== null && typeof claims === 'object' && Object.keys(claims).length === 0)
      warnAboutVacuousCheck(authored, reader, { why: `\`${name}\` names no tool`, at: [name] });
  }
  for (const [tool, least] of Object.entries(isJsonObject(minimums) ? minimums : {}))
    if (least === 0)
      warnAboutVacuousCheck(authored, reader, {
        why: `every reply calls ${tool} at least 0 times`,
        hint: 'for no call of it write `forbidden`',
        at: ['minimums', tool],
      });
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
