import type { RecordedToolCall } from '../../model/reply.ts';
import { assignCalls } from './assign-calls.ts';
import type { ExpectedCall, Pair, TrajectoryMode } from './calls.ts';
import { compareCall, type CallComparison } from './compare-call.ts';

/** Every expected and every actual call, each in one place; the numbers are places in the two lists. */
export interface CallDiff {
  readonly matched: readonly Pair[];
  /** Made as expected, but not where the order wants it. */
  readonly outOfOrder: readonly Pair[];
  readonly wrongArguments: readonly Pair[];
  readonly tooSlow: readonly Pair[];
  readonly missing: readonly number[];
  readonly extra: readonly number[];
}

interface Calls {
  readonly mode: TrajectoryMode;
  readonly expected: readonly ExpectedCall[];
  readonly actual: readonly RecordedToolCall[];
}

/** Explains what the mode left unmatched: each expected call by the call that comes nearest to it, if there is one. */
export function diffCalls(matched: readonly Pair[], { mode, expected, actual }: Calls): CallDiff {
  const usedExpected = new Set(matched.map((pair) => pair.expected));
  const usedActual = new Set(matched.map((pair) => pair.actual));
  const pairUp = (wanted: CallComparison): readonly Pair[] => {
    const openExpected = indexes(expected).filter((index) => !usedExpected.has(index));
    const openActual = indexes(actual).filter((index) => !usedActual.has(index));
    const pairs = assignCalls({
      expectedCount: openExpected.length,
      actualCount: openActual.length,
      fits: (i, j) => compareCall(expected[openExpected[i]!]!, actual[openActual[j]!]!) === wanted,
    }).map((pair) => ({ expected: openExpected[pair.expected]!, actual: openActual[pair.actual]! }));
    for (const pair of pairs) {
      usedExpected.add(pair.expected);
      usedActual.add(pair.actual);
    }
    return pairs;
  };
  const outOfOrder = pairUp('match');
  const tooSlow = pairUp('too_slow');
  const wrongArguments = pairUp('wrong_arguments');
  return {
    matched,
    outOfOrder,
    wrongArguments,
    tooSlow,
    // A call that may be made need not be.
    missing: mode === 'subset' ? [] : indexes(expected).filter((index) => !usedExpected.has(index)),
    extra: indexes(actual).filter((index) => !usedActual.has(index)),
  };
}

function indexes(list: readonly unknown[]): readonly number[] {
  return list.map((_, index) => index);
}
