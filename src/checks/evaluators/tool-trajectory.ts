import { isSameTool } from '../../base/match/same-tool.ts';
import { breaksUpperLimit, compareTrajectory } from '../../base/match/trajectory/compare-trajectory.ts';
import { compareCall } from '../../base/match/trajectory/compare-call.ts';
import type { ExpectedCall } from '../../base/match/trajectory/calls.ts';
import type { RecordedToolCall } from '../../base/model/reply.ts';
import type { AssertionOutcome, Evidence } from '../../base/model/evidence.ts';
import type { KnownOutcome } from '../contract/assertion-kind.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { repeatWeaknesses } from '../repeat-weaknesses.ts';
import { madeCalls, unknownCalls, unknownPart } from '../made-calls.ts';
import { messageGroups } from '../message-groups.ts';
import { unmeasured } from '../unmeasured.ts';
import { checkTrajectory } from './check-trajectory.ts';
import { explainTrajectory } from './explain-trajectory.ts';
import { namedAsAuthored } from './names-without-case.ts';
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
  partialScore,
  evaluate: evaluateTrajectory,
  standsWithMoreCalls,
  weaknesses: ({ forbidden = [] }) => repeatWeaknesses(forbidden, 'forbidden tool'),
  oracle: (authored) => wantedTrajectory(readTrajectory(authored)),
});

/** One claim of several is broken; in a subset, one of any number of calls. */
function partialScore(authored: AuthoredTrajectory): number {
  const { mode, expected = [], minimums = {}, maximums = {}, forbidden = [], max_calls } = authored;
  const limits = Object.keys(minimums).length + Object.keys(maximums).length + forbidden.length;
  const claims = expected.length + limits + (max_calls === undefined ? 0 : 1);
  return mode === 'subset' ? 1 : 1 - 1 / Math.max(1, claims);
}

function evaluateTrajectory(authored: AuthoredTrajectory, { reply }: Evidence): AssertionOutcome {
  const allCalls = madeCalls(reply);
  if (allCalls === undefined) return unmeasured(unknownCalls(reply));
  const ownCalls = callsOf(authored.agent, allCalls);
  if (ownCalls === undefined)
    return unmeasured(
      `no call of the agent ${authored.agent} is known${agentsIn(allCalls)}, so nothing can be said of its calls`,
    );
  const { mode, expected, minimums, maximums, forbidden, maxCalls, isCounted, isParallel } =
    readTrajectory(authored);
  const groups = isParallel ? messageGroups(reply, ownCalls) : undefined;
  const calls = namedAsAuthored(authored, ownCalls);
  const claim = {
    mode,
    expected,
    minimums,
    maximums,
    forbidden,
    maxCalls,
    isCounted,
    allCalls: namedAsAuthored(authored, allCalls),
    groups,
  };
  const comparison = compareTrajectory(calls, claim);
  const shared = sharedDurations(calls, expected);
  if (shared.length > 0 && compareTrajectory(withoutSharedDurations(calls), claim).score !== comparison.score)
    return unmeasured(
      `how long ${shared.join(', ')} took is not known: calls that ran at the same time share the time between two model calls`,
    );
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

/** What must not happen has happened, or what must happen has, and nothing is said about the rest. */
function standsWithMoreCalls(authored: AuthoredTrajectory, { outcome, evidence }: KnownOutcome): boolean {
  const { mode, expected = [], forbidden, maximums, maxCalls } = readTrajectory(authored);
  if (outcome.isVeto === true) return true;
  const calls = namedAsAuthored(authored, madeCalls(evidence.reply) ?? []);
  if (mode === 'exact' || mode === 'unordered')
    return calls.some(({ tool }) => !expected.some((wanted) => isSameTool(wanted.tool, tool)));
  const hasUpperLimit = [forbidden, maximums, maxCalls].some((limit) => limit !== undefined);
  return mode !== 'subset' && !hasUpperLimit && outcome.score === 1;
}

/** The calls of one agent. Undefined: there are none, because it made none, or nobody told whose they are, or it has another name. */
function callsOf(
  agent: string | undefined,
  calls: readonly RecordedToolCall[],
): readonly RecordedToolCall[] | undefined {
  if (agent === undefined) return calls;
  if (agent === MAIN) return calls.filter((call) => call.agent === undefined || call.agent === MAIN);
  const own = calls.filter((call) => call.agent === agent);
  return own.length === 0 ? undefined : own;
}

function agentsIn(calls: readonly RecordedToolCall[]): string {
  const names = [...new Set(calls.flatMap((call) => call.agent ?? []))];
  return names.length === 0 ? '' : ` (there are ${names.join(', ')})`;
}

const MAIN = 'main';

/** Tools that may have been too slow, or may only have waited for others. */
function sharedDurations(
  calls: readonly RecordedToolCall[],
  expected: readonly ExpectedCall[] = [],
): readonly string[] {
  const slow = calls.filter(
    (call) =>
      call.duration_bound === 'parallel' &&
      expected.some((wanted) => compareCall(wanted, call) === 'too_slow'),
  );
  return [...new Set(slow.map(({ tool }) => tool))];
}

function withoutSharedDurations(calls: readonly RecordedToolCall[]): readonly RecordedToolCall[] {
  return calls.map((call) =>
    call.duration_bound === 'parallel' ? { ...call, duration_ms: undefined } : call,
  );
}
