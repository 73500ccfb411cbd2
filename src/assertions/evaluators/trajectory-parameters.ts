import type { ArgsMatch, ExpectedCall, TrajectoryMode } from '../../match/trajectory/calls.ts';
import type { Json, JsonObject } from '../../model/json.ts';

/** What a `tool_trajectory` asks for, with each of its words under one name. */
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

export function readTrajectory(authored: JsonObject): TrajectoryParameters {
  const { mode, expected, args_match: inherited, counts, parallel, max_calls, ...limits } = authored;
  return {
    ...(limits as Pick<TrajectoryParameters, 'minimums' | 'maximums' | 'forbidden'>),
    maxCalls: max_calls as number | undefined,
    mode: (mode === 'superset' ? 'any_order' : mode) as TrajectoryMode | undefined,
    expected: (expected as readonly JsonObject[] | undefined)?.map((call) => readCall(call, inherited)),
    isCounted: counts === true,
    isParallel: parallel === 'any_order',
  };
}

function readCall(
  { tool, args, input, args_match, max_duration_ms }: JsonObject,
  inherited: Json | undefined,
): ExpectedCall {
  const wanted = args ?? input;
  return {
    tool: tool as string,
    args: wanted === 'any' ? undefined : wanted,
    argsMatch: readArgsMatch(args_match ?? inherited ?? 'partial'),
    maxDurationMs: max_duration_ms as number | undefined,
  };
}

/** The arguments of a call that are a superset of the expected ones: other words for `partial`. */
function readArgsMatch(authored: Json): ArgsMatch {
  return authored === 'superset' ? 'partial' : (authored as ArgsMatch);
}
