import type { ArgsMatch, ExpectedCall, TrajectoryMode } from '../../base/match/trajectory/calls.ts';
import type { AuthoredArgsMatch, AuthoredCall, AuthoredTrajectory } from './trajectory-fields.ts';

/** The parameters of a `tool_trajectory`, with one name for each synonym. */
export interface TrajectoryParameters {
  readonly mode?: TrajectoryMode | undefined;
  readonly expected?: readonly ExpectedCall[] | undefined;
  readonly minimums?: Readonly<Record<string, number>> | undefined;
  readonly maximums?: Readonly<Record<string, number>> | undefined;
  readonly forbidden?: readonly string[] | undefined;
  readonly maxCalls?: number | undefined;
  readonly isCounted: boolean;
  /** The calls of one message may come in any order. */
  readonly isParallel: boolean;
}

export function readTrajectory(authored: AuthoredTrajectory): TrajectoryParameters {
  const { mode, expected, minimums, maximums, forbidden, max_calls, args_match, counts, parallel } = authored;
  return {
    mode: mode === 'superset' ? 'any_order' : mode,
    expected: expected?.map((call) => readCall(call, args_match)),
    minimums,
    maximums,
    forbidden,
    maxCalls: max_calls,
    isCounted: counts === true,
    isParallel: parallel === 'any_order',
  };
}

function readCall(
  { tool, args, input, args_match, max_duration_ms }: AuthoredCall,
  inherited: AuthoredArgsMatch | undefined,
): ExpectedCall {
  const wanted = args ?? input;
  return {
    tool,
    args: wanted === 'any' ? undefined : wanted,
    argsMatch: readArgsMatch(args_match ?? inherited ?? 'partial'),
    maxDurationMs: max_duration_ms,
  };
}

/** "The arguments are a superset of the expected ones": another name for `partial`. */
function readArgsMatch(authored: AuthoredArgsMatch): ArgsMatch {
  return authored === 'superset' ? 'partial' : authored;
}
