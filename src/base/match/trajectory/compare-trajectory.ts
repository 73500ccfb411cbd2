import type { RecordedToolCall } from '../../model/reply.ts';
import type { CallGroup } from './align-groups.ts';
import type { ExpectedCall, TrajectoryMode } from './calls.ts';
import { compareCall } from './compare-call.ts';
import { checkLimits, type CallLimits, type LimitClaim } from './call-limits.ts';
import { diffCalls, type CallDiff } from './diff-calls.ts';
import { matchCalls, type ModeResult } from './match-calls.ts';

export interface TrajectoryClaim extends CallLimits {
  readonly mode?: TrajectoryMode | undefined;
  readonly expected?: readonly ExpectedCall[] | undefined;
  readonly isCounted?: boolean | undefined;
  readonly groups?: readonly CallGroup[] | undefined;
}

export interface TrajectoryComparison {
  /** Satisfied claims by claims: 1 only when all hold. */
  readonly score: number;
  readonly claims: number;
  readonly satisfied: number;
  /** Undefined when no calls are expected, only limits set. */
  readonly diff?: CallDiff | undefined;
  readonly limits: readonly LimitClaim[];
  /** The tools whose arguments were not reported, when the score depends on them. */
  readonly unknownArguments?: readonly string[] | undefined;
}

/**
 * Compares the calls that were made with what is claimed of them. Extra calls where the mode allows none, and an order
 * of which nothing is right, leave nothing of the claim: the score is 0, whatever else holds.
 */
export function compareTrajectory(
  actual: readonly RecordedToolCall[],
  claim: TrajectoryClaim,
): TrajectoryComparison {
  const limits = checkLimits(actual, claim);
  const limitsHeld = limits.filter(({ holds }) => holds).length;
  const { mode, expected, isCounted, groups } = claim;
  if (mode === undefined || expected === undefined) {
    return { score: share(limitsHeld, limits.length), claims: limits.length, satisfied: limitsHeld, limits };
  }
  const calls = { mode, expected, isCounted, groups };
  const result = matchCalls(calls, actual);
  const scoreOf = ({ isVoid, satisfied, claims }: ModeResult): number =>
    isVoid ? 0 : share(satisfied + limitsHeld, claims + limits.length);
  const score = scoreOf(result);
  const unknown = unknownArguments(expected, actual);
  const isCertain =
    unknown.length === 0 || scoreOf(matchCalls({ ...calls, assumed: 'arguments' }, actual)) === score;
  return {
    score,
    claims: result.claims + limits.length,
    satisfied: result.satisfied + limitsHeld,
    diff: diffCalls(result.matched, calls, actual),
    limits,
    unknownArguments: isCertain ? undefined : unknown,
  };
}

/** Whether something happened that must not happen. */
export function breaksUpperLimit({ limits }: TrajectoryComparison): boolean {
  return limits.some(({ holds, isUpper }) => isUpper && !holds);
}

/** The tools of calls whose arguments are expected and were not reported. */
function unknownArguments(
  expected: readonly ExpectedCall[],
  actual: readonly RecordedToolCall[],
): readonly string[] {
  const unknown = actual.filter(
    (call) =>
      call.input === undefined &&
      expected.some((wanted) => compareCall(wanted, call) === 'unknown_arguments'),
  );
  return [...new Set(unknown.map(({ tool }) => tool))];
}

/** Nothing claimed is nothing broken: no calls expected in any order, none made under `subset`. */
function share(satisfied: number, claims: number): number {
  return claims === 0 ? 1 : satisfied / claims;
}
