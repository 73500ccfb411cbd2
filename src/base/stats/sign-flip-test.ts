import { createGenerator } from './seeded-generator.ts';

/**
 * The paired permutation test of a mean difference, two-sided: how often a sum at least this far from 0 comes out when
 * each difference is as likely to have the other sign. Few differences are tried in all ways. Of many, a seeded sample of
 * `m` ways is drawn, of which `b` are as far out: p is (b + 1) / (m + 1), which is never 0 and errs to the safe side.
 *
 * Only the sizes of the differences are drawn on, in order, so that neither their order nor which side is called `after`
 * changes the result.
 */
export function signFlipTest(differences: readonly number[], seed = 1): number {
  const sizes = Float64Array.from(differences.map(Math.abs).filter((size) => size > 0)).sort();
  const total = sizes.reduce((sum, size) => sum + size, 0);
  if (total === 0) return 1;
  // Sums that are equal may come out apart in the last digits.
  const observed = Math.abs(differences.reduce((sum, one) => sum + one, 0)) - total * 1e-9;
  return sizes.length <= MOST_FOR_ALL_WAYS
    ? allWays(sizes, total, observed)
    : sampleOfWays(sizes, observed, seed);
}

/** 2^20 ways take some milliseconds. */
const MOST_FOR_ALL_WAYS = 20;
/** More draws than this change nothing a person would notice; many tests must do with fewer, to end within a second. */
const [MOST_DRAWS, LEAST_DRAWS, WORK] = [9999, 999, 5_000_000];

/** Each way differs from the one before it by one sign (a Gray code), so that each costs one addition. */
function allWays(sizes: Float64Array, total: number, observed: number): number {
  const signs = new Int8Array(sizes.length).fill(1);
  const ways = 2 ** sizes.length;
  let sum = total;
  let asFar = 1;
  for (let way = 1; way < ways; way++) {
    const flipped = 31 - Math.clz32(way & -way);
    signs[flipped] = -signs[flipped]!;
    sum += 2 * signs[flipped]! * sizes[flipped]!;
    if (Math.abs(sum) >= observed) asFar++;
  }
  return asFar / ways;
}

/** 32 differences at a time, for all draws: what is looked up stays small enough for the fastest memory. */
function sampleOfWays(sizes: Float64Array, observed: number, seed: number): number {
  const draws = Math.min(MOST_DRAWS, Math.max(LEAST_DRAWS, Math.floor((8 * WORK) / sizes.length)));
  const sums = new Float64Array(draws);
  const [first, second, third, fourth] = [newSums(), newSums(), newSums(), newSums()];
  const next = createGenerator(seed);
  for (let start = 0; start < sizes.length; start += 32) {
    fillSums(first, sizes, start);
    fillSums(second, sizes, start + 8);
    fillSums(third, sizes, start + 16);
    fillSums(fourth, sizes, start + 24);
    for (let draw = 0; draw < draws; draw++) {
      const bits = next();
      sums[draw]! +=
        first[bits & 0xff]! +
        second[(bits >>> 8) & 0xff]! +
        third[(bits >>> 16) & 0xff]! +
        fourth[bits >>> 24]!;
    }
  }
  const asFar = sums.reduce((count, sum) => (Math.abs(sum) >= observed ? count + 1 : count), 0);
  return (asFar + 1) / (draws + 1);
}

/** For eight differences the sums of all 256 ways to sign them: a draw then adds one number for each eight. */
const newSums = (): Float64Array => new Float64Array(256);

function fillSums(sums: Float64Array, sizes: Float64Array, start: number): void {
  const own = sizes.subarray(start, start + 8);
  sums[0] = -own.reduce((sum, size) => sum + size, 0);
  for (let way = 1; way < 256; way++) {
    const highest = 31 - Math.clz32(way);
    sums[way] = sums[way - (1 << highest)]! + 2 * (own[highest] ?? 0);
  }
}
