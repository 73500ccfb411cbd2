import type { AveragedPairs } from './averaged-pairs.ts';
import { pairsToSettle, type SettleOptions } from './pairs-to-settle.ts';

/**
 * The smallest drop of the pass rate that would be detected with this power, if as many pairs differ without it as
 * now and the drop comes on top. Undefined if not even the largest possible drop would be detected.
 */
export function smallestDrop(
  { pairs, noise }: Pick<AveragedPairs, 'pairs' | 'noise'>,
  { largest, ...options }: SettleOptions & { readonly largest: number },
): number | undefined {
  const isSeen = (drop: number): boolean => {
    const rates = { pairs, better: (pairs * noise) / 2, worse: pairs * (noise / 2 + drop) };
    return (pairsToSettle(rates, options) ?? Infinity) <= pairs;
  };
  const most = Math.min(largest, 1 - noise);
  if (!(most > 0) || !isSeen(most)) return undefined;
  let [unseen, seen] = [0, most];
  while (seen - unseen > PRECISION) {
    const middle = (seen + unseen) / 2;
    if (isSeen(middle)) seen = middle;
    else unseen = middle;
  }
  return seen;
}

const PRECISION = 1e-6;
