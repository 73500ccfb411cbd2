import { agentCost, type TestRow } from '../run/test-row.ts';
import { tokensOf } from './match-query.ts';

export type UsageKey = 'cost' | 'tokens';
export type UsageGroup = 'target' | 'tag';

/** What the tests of a target or with a tag used. */
export interface UsageBar {
  readonly value: string;
  readonly all: number;
  readonly shown: number;
  /** How many of its tests report it, and how many there are. */
  readonly known: number;
  readonly tests: number;
}

/** A test with two tags counts for both. The largest first. The cost of a target is without judges, as everywhere. */
export function usageBars(
  tests: readonly TestRow[],
  shown: readonly TestRow[],
  { key, by }: { readonly key: UsageKey; readonly by: UsageGroup },
): readonly UsageBar[] {
  const sums = new Map<string, { all: number; shown: number; known: number; tests: number }>();
  const isShown = tests === shown ? undefined : new Set(shown);
  for (const row of tests) {
    const amount = key === 'tokens' ? tokensOf(row) : by === 'target' ? agentCost(row) : row.costUsd;
    for (const value of by === 'target' ? [row.target] : row.tags) {
      let sum = sums.get(value);
      if (sum === undefined) sums.set(value, (sum = { all: 0, shown: 0, known: 0, tests: 0 }));
      // A test that never reached its end has used what is known of it, as the terminal counts.
      if (amount === undefined && (row.verdict === 'error' || row.verdict === 'skipped')) continue;
      sum.tests++;
      if (amount === undefined) continue;
      sum.known++;
      sum.all += amount;
      if (isShown === undefined || isShown.has(row)) sum.shown += amount;
    }
  }
  return [...sums]
    .map(([value, sum]) => ({ value, ...sum }))
    .filter(({ known }) => known > 0)
    .toSorted((a, b) => b.all - a.all || (a.value < b.value ? -1 : 1));
}

/** What can be compared: the usage is known, not zero, and there are several to compare. */
export function usageChoices(
  tests: readonly TestRow[],
): readonly { readonly key: UsageKey; readonly by: UsageGroup }[] {
  const choices = (['cost', 'tokens'] as const).flatMap((key) =>
    (['target', 'tag'] as const).map((by) => ({ key, by })),
  );
  return choices.filter((choice) => {
    const bars = usageBars(tests, tests, choice);
    return bars.length > 1 && bars.some(({ all }) => all > 0);
  });
}
