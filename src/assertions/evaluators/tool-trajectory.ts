import { breaksUpperLimit, compareTrajectory } from '../../match/trajectory/compare-trajectory.ts';
import type { AssertionOutcome, Evidence } from '../../model/evidence.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { doubtRepeats } from '../doubt-repeats.ts';
import { madeCalls, unknownCalls, unknownPart } from '../made-calls.ts';
import { messageGroups } from '../message-groups.ts';
import { unmeasured } from '../unmeasured.ts';
import { checkTrajectory } from './check-trajectory.ts';
import { explainTrajectory } from './explain-trajectory.ts';
import { TRAJECTORY_FIELDS, type AuthoredTrajectory } from './trajectory-fields.ts';
import { readTrajectory } from './trajectory-parameters.ts';
import { wantedTrajectory } from './wanted-trajectory.ts';

export const toolTrajectory = defineEvaluator({
  kind: 'tool_trajectory',
  doc: 'Compares the tool calls with the expected ones.',
  example: { mode: 'in_order', expected: [{ tool: 'search', args: { city: 'Paris' } }] },
  reads: ['tools'],
  fields: TRAJECTORY_FIELDS,
  check: checkTrajectory,
  evaluate: evaluateTrajectory,
  doubts: ({ forbidden = [] }) => doubtRepeats(forbidden, 'forbidden tool'),
  oracle: (authored) => wantedTrajectory(readTrajectory(authored)),
});

function evaluateTrajectory(authored: AuthoredTrajectory, { reply }: Evidence): AssertionOutcome {
  const calls = madeCalls(reply);
  if (calls === undefined) return unmeasured(unknownCalls(reply));
  const parameters = readTrajectory(authored);
  const { mode, expected, isParallel } = parameters;
  const groups = isParallel ? messageGroups(reply, calls) : undefined;
  const comparison = compareTrajectory(calls, groups === undefined ? parameters : { ...parameters, groups });
  if (expected === undefined && comparison.claims === 0)
    return unmeasured('nothing is claimed of the tool calls');
  // Where a tool was called that must not be, nothing depends on arguments.
  if (comparison.unknownArguments !== undefined && !breaksUpperLimit(comparison))
    return unmeasured(unknownPart('input', comparison.unknownArguments));
  return explainTrajectory(comparison, {
    mode,
    expected: expected ?? [],
    calls,
    authored,
    lacksMessages: isParallel && groups === undefined && calls.length > 1,
  });
}
