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

function sampleOfWays(sizes: Float64Array, observed: number, seed: number): number {
  const sums = sumsByByte(sizes);
  const bytes = Math.ceil(sizes.length / 8);
  const draws = Math.min(MOST_DRAWS, Math.max(LEAST_DRAWS, Math.floor(WORK / bytes)));
  const next = createGenerator(seed);
  let asFar = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    let bits = 0;
    for (let byte = 0; byte < bytes; byte++) {
      bits = (byte & 3) === 0 ? next() : bits >>> 8;
      sum += sums[(byte << 8) | (bits & 0xff)]!;
    }
    if (Math.abs(sum) >= observed) asFar++;
  }
  return (asFar + 1) / (draws + 1);
}

/** For every eight differences the sums of all 256 ways to sign them: a draw then adds one number for each eight. */
function sumsByByte(sizes: Float64Array): Float64Array {
  const bytes = Math.ceil(sizes.length / 8);
  const sums = new Float64Array(bytes * 256);
  for (let byte = 0; byte < bytes; byte++) {
    const own = sizes.subarray(byte * 8, byte * 8 + 8);
    const first = byte * 256;
    sums[first] = -own.reduce((sum, size) => sum + size, 0);
    for (let way = 1; way < 256; way++) {
      const highest = 31 - Math.clz32(way);
      sums[first + way] = sums[first + way - (1 << highest)]! + 2 * (own[highest] ?? 0);
    }
  }
  return sums;
}
