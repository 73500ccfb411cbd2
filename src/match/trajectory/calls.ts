import type { Json } from '../../model/json.ts';

/** Which claim the expected calls make about those that were made. */
export type TrajectoryMode = 'exact' | 'in_order' | 'any_order' | 'unordered' | 'subset';

/** How arguments are compared; a list names the only places that count, like `time.start`. */
export type ArgsMatch = 'exact' | 'partial' | 'deep_partial' | 'subset' | 'ignore' | readonly string[];

export interface ExpectedCall {
  readonly tool: string;
  /** Undefined: the arguments are not looked at. */
  readonly args?: Json | undefined;
  readonly argsMatch: ArgsMatch;
  readonly maxDurationMs?: number | undefined;
}

/** An expected call and the one that was made, by their places in the two lists. */
export interface Pair {
  readonly expected: number;
  readonly actual: number;
}
