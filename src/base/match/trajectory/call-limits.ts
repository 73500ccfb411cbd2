import type { RecordedToolCall } from '../../model/reply.ts';
import { isSameTool } from '../same-tool.ts';

/** How often tools may be called, in any order. */
export interface CallLimits {
  readonly minimums?: Readonly<Record<string, number>> | undefined;
  readonly maximums?: Readonly<Record<string, number>> | undefined;
  readonly forbidden?: readonly string[] | undefined;
  readonly maxCalls?: number | undefined;
  /** Those of every agent, where the others are of one only: what is forbidden is forbidden to all of them. */
  readonly allCalls?: readonly RecordedToolCall[] | undefined;
}

export interface LimitClaim {
  readonly claim: string;
  readonly holds: boolean;
  readonly count: number;
  /** It says what must not happen. */
  readonly isUpper: boolean;
}

/** One claim for every limit that is set. */
export function checkLimits(calls: readonly RecordedToolCall[], limits: CallLimits): readonly LimitClaim[] {
  const counts = new Map<string, number>();
  const countOf = (tool: string): number => {
    const known = counts.get(tool) ?? calls.filter((call) => isSameTool(tool, call.tool)).length;
    counts.set(tool, known);
    return known;
  };
  const claims: LimitClaim[] = [];
  for (const [tool, minimum] of Object.entries(limits.minimums ?? {})) {
    claims.push({
      claim: `${tool} at least ${times(minimum)}`,
      holds: countOf(tool) >= minimum,
      count: countOf(tool),
      isUpper: false,
    });
  }
  for (const [tool, maximum] of Object.entries(limits.maximums ?? {})) {
    claims.push({
      claim: `${tool} at most ${times(maximum)}`,
      holds: countOf(tool) <= maximum,
      count: countOf(tool),
      isUpper: true,
    });
  }
  for (const tool of limits.forbidden ?? []) {
    const count = (limits.allCalls ?? calls).filter((call) => isSameTool(tool, call.tool)).length;
    claims.push({ claim: `${tool} never`, holds: count === 0, count, isUpper: true });
  }
  if (limits.maxCalls !== undefined) {
    const count = calls.length;
    claims.push({
      claim: `at most ${calledTimes(limits.maxCalls)} in all`,
      holds: count <= limits.maxCalls,
      count,
      isUpper: true,
    });
  }
  return claims;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function calledTimes(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`;
}
