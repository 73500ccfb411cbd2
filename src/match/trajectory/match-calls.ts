import type { RecordedToolCall } from '../../model/reply.ts';
import { alignCalls, type Sides } from './align-calls.ts';
import { assignCalls } from './assign-calls.ts';
import type { ExpectedCall, Pair, TrajectoryMode } from './calls.ts';
import { compareCall } from './compare-call.ts';

/** What a mode makes of two lists of calls. */
export interface ModeResult {
  /** The expected calls that were made as the mode wants them; in `subset` the calls that were allowed. */
  readonly matched: readonly Pair[];
  readonly claims: number;
  readonly satisfied: number;
  /** Nothing else of the claim counts: the score is 0. */
  readonly isVoid: boolean;
}

/** Matches the calls that were made with the expected ones, as many as the mode lets. */
export function matchCalls(
  mode: TrajectoryMode,
  expected: readonly ExpectedCall[],
  actual: readonly RecordedToolCall[],
): ModeResult {
  const sides: Sides = {
    expectedCount: expected.length,
    actualCount: actual.length,
    fits: (i, j) => compareCall(expected[i]!, actual[j]!) === 'match',
  };
  switch (mode) {
    case 'exact':
      return counted(samePlaces(sides), { expected, isVoid: hasExtraCalls(expected, actual) });
    case 'in_order': {
      const matched = alignCalls(sides);
      return counted(matched, { expected, isVoid: matched.length === 0 && expected.length > 0 });
    }
    case 'any_order':
      return counted(assignCalls(sides), { expected, isVoid: false });
    case 'unordered':
      return counted(assignCalls(sides), { expected, isVoid: hasExtraCalls(expected, actual) });
    case 'subset': {
      const matched = allowedCalls(sides);
      return { matched, claims: actual.length, satisfied: matched.length, isVoid: false };
    }
  }
}

interface Counting {
  readonly expected: readonly ExpectedCall[];
  readonly isVoid: boolean;
}

function counted(matched: readonly Pair[], { expected, isVoid }: Counting): ModeResult {
  return { matched, claims: expected.length, satisfied: matched.length, isVoid };
}

function samePlaces({ expectedCount, actualCount, fits }: Sides): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let index = 0; index < Math.min(expectedCount, actualCount); index++) {
    if (fits(index, index)) pairs.push({ expected: index, actual: index });
  }
  return pairs;
}

/** An expected call of `subset` allows any number of such calls: how many there may be is what `maximums` says. */
function allowedCalls({ expectedCount, actualCount, fits }: Sides): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let actual = 0; actual < actualCount; actual++) {
    for (let expected = 0; expected < expectedCount; expected++) {
      if (!fits(expected, actual)) continue;
      pairs.push({ expected, actual });
      break;
    }
  }
  return pairs;
}

/** Whether a tool was called more often than expected. A call with wrong arguments or in a wrong place is no extra one. */
function hasExtraCalls(expected: readonly ExpectedCall[], actual: readonly RecordedToolCall[]): boolean {
  const left = new Map<string, number>();
  for (const { tool } of expected) left.set(tool, (left.get(tool) ?? 0) + 1);
  for (const { tool } of actual) {
    const count = left.get(tool) ?? 0;
    if (count === 0) return true;
    left.set(tool, count - 1);
  }
  return false;
}
