import type { RecordedToolCall } from '../../model/reply.ts';
import { isSameTool } from '../same-tool.ts';

/** How often tools may be called, whatever the order. */
export interface CallLimits {
  readonly minimums?: Readonly<Record<string, number>> | undefined;
  readonly maximums?: Readonly<Record<string, number>> | undefined;
  readonly forbidden?: readonly string[] | undefined;
  readonly maxCalls?: number | undefined;
}

export interface LimitClaim {
  readonly claim: string;
  readonly holds: boolean;
  readonly count: number;
}

/** One claim for every limit that is set. */
export function checkLimits(calls: readonly RecordedToolCall[], limits: CallLimits): readonly LimitClaim[] {
  const countOf = (tool: string): number => calls.filter((call) => isSameTool(call.tool, tool)).length;
  const claims: LimitClaim[] = [];
  for (const [tool, minimum] of Object.entries(limits.minimums ?? {})) {
    claims.push({
      claim: `${tool} at least ${times(minimum)}`,
      holds: countOf(tool) >= minimum,
      count: countOf(tool),
    });
  }
  for (const [tool, maximum] of Object.entries(limits.maximums ?? {})) {
    claims.push({
      claim: `${tool} at most ${times(maximum)}`,
      holds: countOf(tool) <= maximum,
      count: countOf(tool),
    });
  }
  for (const tool of limits.forbidden ?? []) {
    claims.push({ claim: `${tool} never`, holds: countOf(tool) === 0, count: countOf(tool) });
  }
  if (limits.maxCalls !== undefined) {
    const count = calls.length;
    claims.push({
      claim: `at most ${calledTimes(limits.maxCalls)} in all`,
      holds: count <= limits.maxCalls,
      count,
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
