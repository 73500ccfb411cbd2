import type { RecordedToolCall } from '../../model/reply.ts';
import { assignCalls, weighOnce } from './assign-calls.ts';
import type { Pair } from './calls.ts';
import { argumentDifferences } from './compare-arguments.ts';
import { compareCall, type CallComparison } from './compare-call.ts';
import type { CallClaim } from './match-calls.ts';

/** Every expected and every actual call, each in one place; the numbers are places in the two lists. */
export interface CallDiff {
  readonly matched: readonly Pair[];
  /** Made as expected, but not where the order wants it. */
  readonly outOfOrder: readonly Pair[];
  /** Also arguments that were not reported. */
  readonly wrongArguments: readonly Pair[];
  readonly tooSlow: readonly Pair[];
  /** Of `exact`: another tool was called in its place. */
  readonly wrongTool: readonly Pair[];
  readonly missing: readonly number[];
  readonly extra: readonly number[];
}

/** Explains what the mode left unmatched: each expected call by the call that comes nearest to it, if there is one. */
export function diffCalls(
  matched: readonly Pair[],
  { mode, expected, isCounted }: CallClaim,
  actual: readonly RecordedToolCall[],
): CallDiff {
  const compare = (pair: Pair): CallComparison => compareCall(expected[pair.expected]!, actual[pair.actual]!);
  const isSlow = (pair: Pair): boolean =>
    expected[pair.expected]!.maxDurationMs !== undefined && compare(pair) === 'too_slow';
  if (matched.length === expected.length && matched.length === actual.length && mode !== 'subset')
    return {
      ...NOTHING_OPEN,
      matched: matched.filter((pair) => !isSlow(pair)),
      tooSlow: matched.filter(isSlow),
    };
  const mayRepeat = mode === 'subset' && isCounted !== true;
  const usedExpected = new Set(mayRepeat ? [] : matched.map((pair) => pair.expected));
  const usedActual = new Set(matched.map((pair) => pair.actual));
  const open = (): { readonly wanted: readonly number[]; readonly made: readonly number[] } => ({
    wanted: indexes(expected).filter((index) => !usedExpected.has(index)),
    made: indexes(actual).filter((index) => !usedActual.has(index)),
  });
  const use = (pairs: readonly Pair[]): readonly Pair[] => {
    for (const pair of pairs) {
      if (!mayRepeat) usedExpected.add(pair.expected);
      usedActual.add(pair.actual);
    }
    return pairs;
  };
  const pairUp = (gain: (pair: Pair) => number): readonly Pair[] => {
    const { wanted, made } = open();
    if (wanted.length === 0 || made.length === 0) return [];
    if (mayRepeat) return use(made.flatMap((index) => bestOf(wanted, index, gain)));
    const pairs = assignCalls(
      weighOnce({
        expectedCount: wanted.length,
        actualCount: made.length,
        gain: (i, j) => gain({ expected: wanted[i]!, actual: made[j]! }),
      }),
    );
    return use(pairs.map((pair) => ({ expected: wanted[pair.expected]!, actual: made[pair.actual]! })));
  };
  const tooSlow = mode === 'subset' ? pairUp((pair) => (isSlow(pair) ? 1 : 0)) : matched.filter(isSlow);
  const outOfOrder =
    mode === 'subset' ? [] : pairUp((pair) => (compare(pair) === 'match' || isSlow(pair) ? 1 : 0));
  const wrongArguments = pairUp((pair) => {
    const comparison = compare(pair);
    if (comparison === 'unknown_arguments') return 1;
    if (comparison !== 'wrong_arguments') return 0;
    const { length } = argumentDifferences(expected[pair.expected]!, actual[pair.actual]!.input!);
    return Math.max(1, MOST_DIFFERENCES - length);
  });
  const wrongTool = mode === 'exact' && actual.length <= expected.length ? use(inTurn(open())) : [];
  const { wanted, made } = open();
  return {
    matched: mode === 'subset' ? matched : matched.filter((pair) => !isSlow(pair)),
    outOfOrder,
    wrongArguments,
    tooSlow,
    wrongTool,
    // A call that may be made need not be.
    missing: mode === 'subset' ? [] : wanted,
    extra: made,
  };
}

/** Each call has its pair: the most common answer. */
const NOTHING_OPEN: CallDiff = {
  matched: [],
  outOfOrder: [],
  wrongArguments: [],
  tooSlow: [],
  wrongTool: [],
  missing: [],
  extra: [],
};

/** Fewer differences make a better pair; with more than that it no longer matters. */
const MOST_DIFFERENCES = 1000;

function bestOf(wanted: readonly number[], actual: number, gain: (pair: Pair) => number): readonly Pair[] {
  const pairs = wanted.map((expected) => ({ expected, actual }));
  const worth = pairs.map(gain);
  const most = Math.max(0, ...worth);
  return most === 0 ? [] : [pairs[worth.indexOf(most)]!];
}

/** What is left of both sides: those at the same place belong together, the others follow each other. */
function inTurn({
  wanted,
  made,
}: {
  readonly wanted: readonly number[];
  readonly made: readonly number[];
}): readonly Pair[] {
  const atPlace = made.filter((index) => wanted.includes(index));
  const restWanted = wanted.filter((index) => !atPlace.includes(index));
  const restMade = made.filter((index) => !atPlace.includes(index));
  return [
    ...atPlace.map((index) => ({ expected: index, actual: index })),
    ...restMade.map((actual, index) => ({ expected: restWanted[index]!, actual })),
  ].toSorted((a, b) => a.expected - b.expected);
}

function indexes(list: readonly unknown[]): readonly number[] {
  return list.map((_, index) => index);
}
