/**
 * The smallest group of things that cannot hold together: each alone first, then pairs; undefined if all of them
 * can.
 */
export function findCore<T>(
  items: readonly T[],
  isImpossible: (some: readonly T[]) => boolean,
): readonly T[] | undefined {
  const alone = items.find((item) => isImpossible([item]));
  if (alone !== undefined) return [alone];
  const some = items.slice(0, MOST);
  for (const [index, second] of some.entries())
    for (const first of some.slice(0, index)) if (isImpossible([first, second])) return [first, second];
  if (items.length < 3 || !isImpossible(items)) return undefined;
  return items.reduce<readonly T[]>((core, item) => {
    const less = core.filter((other) => other !== item);
    return isImpossible(less) ? less : core;
  }, items);
}

/** Pairs of more than this are too many. */
const MOST = 20;
