import type { RecordedToolCall } from '../../model/reply.ts';
import { isSameTool } from '../same-tool.ts';
import { alignCalls } from './align-calls.ts';
import { alignGroups, placeGroups, type CallGroup } from './align-groups.ts';
import { assignCalls, weighOnce, type Sides } from './assign-calls.ts';
import type { ExpectedCall, Pair, TrajectoryMode } from './calls.ts';
import { compareCall } from './compare-call.ts';

export interface CallClaim {
  readonly mode: TrajectoryMode;
  readonly expected: readonly ExpectedCall[];
  /** Of `subset`: a call may be made only as often as it is expected. */
  readonly isCounted?: boolean | undefined;
  /** The calls that were made together; undefined: each call comes behind the one before it. */
  readonly groups?: readonly CallGroup[] | undefined;
  /** Arguments that were not reported are taken for the expected ones. */
  readonly assumed?: 'arguments' | undefined;
}

/** What a mode makes of two lists of calls. */
export interface ModeResult {
  /** The expected calls that were made as the mode wants them, if only too slowly; in `subset` the calls that were allowed. */
  readonly matched: readonly Pair[];
  readonly claims: number;
  readonly satisfied: number;
  /** Nothing else of the claim counts: the score is 0. */
  readonly isVoid: boolean;
}

/** Matches the calls that were made with the expected ones, as many as the mode lets. */
export function matchCalls(claim: CallClaim, actual: readonly RecordedToolCall[]): ModeResult {
  const { mode, expected, groups } = claim;
  const sides = weighPairs(claim, actual);
  switch (mode) {
    case 'exact':
      return counted(placeGroups(sides, groups ?? singles(actual)), {
        expected,
        actual,
        isVoid: actual.length > expected.length,
      });
    case 'in_order': {
      const matched = groups === undefined ? alignCalls(sides) : alignGroups(sides, groups);
      return counted(matched, { expected, actual, isVoid: matched.length === 0 && expected.length > 0 });
    }
    case 'any_order':
      return counted(assignCalls(sides), { expected, actual, isVoid: false });
    case 'unordered':
      return counted(assignCalls(sides), { expected, actual, isVoid: hasExtraCalls(expected, actual) });
    case 'subset': {
      const matched = allowedCalls(claim, actual);
      return { matched, claims: actual.length, satisfied: matched.length, isVoid: false };
    }
  }
}

/**
 * The most pairs are the best; of those the ones with the fewest slow calls, then with the most that kept their limit, then
 * with the most whose duration is not known. Each of the four counts less than the one before it, however often it comes.
 */
function weighPairs({ expected, assumed }: CallClaim, actual: readonly RecordedToolCall[]): Sides {
  const base = expected.length + 1;
  const weigh = (wanted: ExpectedCall, made: RecordedToolCall): number => {
    const comparison = compareCall(wanted, made, assumed);
    if (comparison === 'too_slow') return base ** 3 - base ** 2;
    if (comparison !== 'match') return 0;
    if (wanted.maxDurationMs === undefined) return base ** 3;
    return base ** 3 + (made.duration_ms === undefined ? 1 : base);
  };
  return weighOnce({
    expectedCount: expected.length,
    actualCount: actual.length,
    gain: (i, j) => weigh(expected[i]!, actual[j]!),
  });
}

interface Counting {
  readonly expected: readonly ExpectedCall[];
  readonly actual: readonly RecordedToolCall[];
  readonly isVoid: boolean;
}

/** Each expected call is a claim, and each limit of its duration another, unless the duration is not known. */
function counted(matched: readonly Pair[], { expected, actual, isVoid }: Counting): ModeResult {
  const limits = expected.filter(({ maxDurationMs }) => maxDurationMs !== undefined).length;
  if (limits === 0) return { matched, claims: expected.length, satisfied: matched.length, isVoid };
  const limited = matched.filter((pair) => expected[pair.expected]!.maxDurationMs !== undefined);
  const timed = limited.filter((pair) => actual[pair.actual]!.duration_ms !== undefined);
  const quick = timed.filter(
    (pair) => actual[pair.actual]!.duration_ms! <= expected[pair.expected]!.maxDurationMs!,
  );
  return {
    matched,
    claims: expected.length + limits - (limited.length - timed.length),
    satisfied: matched.length + quick.length,
    isVoid,
  };
}

function singles(actual: readonly RecordedToolCall[]): readonly CallGroup[] {
  return actual.map((_, index) => ({ start: index, end: index + 1 }));
}

/** An expected call of `subset` allows any number of such calls, unless they are counted. A call that is too slow is not allowed. */
function allowedCalls(
  { expected, isCounted = false, assumed }: CallClaim,
  actual: readonly RecordedToolCall[],
): readonly Pair[] {
  const fits = (i: number, j: number): boolean => compareCall(expected[i]!, actual[j]!, assumed) === 'match';
  if (isCounted)
    return assignCalls(
      weighOnce({
        expectedCount: expected.length,
        actualCount: actual.length,
        gain: (i, j) => (fits(i, j) ? 1 : 0),
      }),
    );
  return actual.flatMap((_, index) => {
    const allowing = expected.findIndex((_expected, i) => fits(i, index));
    return allowing === -1 ? [] : [{ expected: allowing, actual: index }];
  });
}

/** Whether a tool was called more often than expected. A call with wrong arguments is not an extra one. */
function hasExtraCalls(expected: readonly ExpectedCall[], actual: readonly RecordedToolCall[]): boolean {
  const left = new Map<string, number>();
  for (const { tool } of expected) left.set(tool, (left.get(tool) ?? 0) + 1);
  for (const { tool } of actual) {
    const name = left.has(tool) ? tool : [...left.keys()].find((each) => isSameTool(each, tool));
    const count = name === undefined ? 0 : left.get(name)!;
    if (count === 0) return true;
    left.set(name!, count - 1);
  }
  return false;
}
