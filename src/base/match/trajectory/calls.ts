import type { Json } from '../../model/json.ts';

/** The claim that the expected calls make about the actual ones. */
export type TrajectoryMode = 'exact' | 'in_order' | 'any_order' | 'unordered' | 'subset';

/** How arguments are compared; a list names the only paths that count, like `time.start`. */
export type ArgsMatch = 'exact' | 'partial' | 'deep_partial' | 'subset' | 'ignore' | readonly string[];

export interface ExpectedCall {
  readonly tool: string;
  /** Undefined: the arguments are not compared. */
  readonly args?: Json | undefined;
  readonly argsMatch: ArgsMatch;
  readonly maxDurationMs?: number | undefined;
}

/** An expected call and an actual one, by their indexes in the two lists. */
export interface Pair {
  readonly expected: number;
  readonly actual: number;
}
