import { mcnemarTest } from './mcnemar-test.ts';
import { passSplit, splitKey, type Distribution, type TestCounts } from './pass-split.ts';

/**
 * Whether a whole suite passes more or less often than before, two-sided and exact: how likely a number of passes at least
 * this far out is when no test's chance of passing changed. The passes of each test may have fallen on any of its attempts of
 * both runs, whatever its rate and however many attempts each run made of it. For one attempt of each test in both runs this
 * is McNemar's exact test.
 */
export function stratifiedTest(tests: readonly TestCounts[]): number {
  const undecided = tests.filter(({ before, after }) => {
    const passed = before.passed + after.passed;
    return passed > 0 && passed < before.measured + after.measured;
  });
  if (undecided.every(({ before, after }) => before.measured === 1 && after.measured === 1)) {
    const better = undecided.filter(({ after }) => after.passed === 1).length;
    return mcnemarTest({ better, worse: undecided.length - better });
  }
  const { low, chances } = sumOfSplits(undecided);
  const observed = undecided.reduce((sum, { after }) => sum + after.passed, 0) - low;
  const tail = (from: number, to: number): number =>
    chances.subarray(Math.max(0, from), Math.max(0, to)).reduce((sum, chance) => sum + chance, 0);
  return Math.min(1, 2 * Math.min(tail(0, observed + 1), tail(observed, chances.length)));
}

/** The passes after of all tests together. Many tests have the same split, and are added by doubling. */
function sumOfSplits(tests: readonly TestCounts[]): Distribution {
  const groups = new Map<string, { readonly split: Distribution; tests: number }>();
  for (const test of tests) {
    const key = splitKey(test);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { split: passSplit(test), tests: 1 });
    else group.tests++;
  }
  let total: Distribution = { low: 0, chances: Float64Array.of(1) };
  for (const { split, tests: count } of groups.values()) total = add(total, times(split, count));
  return total;
}

function times(split: Distribution, count: number): Distribution {
  let result: Distribution = { low: 0, chances: Float64Array.of(1) };
  let doubled = split;
  for (let rest = count; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = add(result, doubled);
    if (rest > 1) doubled = add(doubled, doubled);
  }
  return result;
}

function add(one: Distribution, other: Distribution): Distribution {
  const chances = new Float64Array(one.chances.length + other.chances.length - 1);
  for (const [index, chance] of one.chances.entries())
    for (let place = 0; place < other.chances.length; place++)
      chances[index + place]! += chance * other.chances[place]!;
  let [from, to] = [0, chances.length];
  // What is too unlikely to matter is not followed: of a hundred thousand tests that is nearly all.
  while (to - from > 1 && chances[from]! < NEGLIGIBLE) from++;
  while (to - from > 1 && chances[to - 1]! < NEGLIGIBLE) to--;
  return { low: one.low + other.low + from, chances: chances.slice(from, to) };
}

const NEGLIGIBLE = 1e-25;
