import type { Pattern } from './index.ts';

/** Suites say the same pattern many times over; more different ones than this are compiled again when they come back. */
const MOST_KEPT = 500;

const kept = new Map<string, Pattern>();

/** The pattern as it was compiled before, or as `compile` makes it. */
export function rememberPattern(key: string, compile: () => Pattern): Pattern {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const pattern = compile();
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, pattern);
  return pattern;
}
