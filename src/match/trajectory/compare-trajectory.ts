import type { RecordedToolCall } from '../../model/reply.ts';
import type { CallGroup } from './align-groups.ts';
import type { ExpectedCall, TrajectoryMode } from './calls.ts';
import { checkLimits, type CallLimits, type LimitClaim } from './call-limits.ts';
import { diffCalls, type CallDiff } from './diff-calls.ts';
import { matchCalls } from './match-calls.ts';

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
  const claims = result.claims + limits.length;
  const satisfied = result.satisfied + limitsHeld;
  const diff = diffCalls(result.matched, calls, actual);
  return { score: result.isVoid ? 0 : share(satisfied, claims), claims, satisfied, diff, limits };
}

/** Nothing claimed is nothing broken: no calls expected in any order, none made under `subset`. */
function share(satisfied: number, claims: number): number {
  return claims === 0 ? 1 : satisfied / claims;
}
