import type { Query } from '../route/route.ts';
import type { TestRow } from './test-row.ts';

export type SortKey = 'problems' | 'order' | 'name' | 'score' | 'time' | 'cost';

export interface Order {
  readonly key: SortKey;
  readonly isReversed: boolean;
  readonly group: Grouping;
}

export type Grouping = 'reason' | 'file' | 'none';

export const GROUPINGS: Readonly<Record<Grouping, string>> = {
  reason: 'By reason',
  file: 'By file',
  none: 'Not grouped',
};

export const SORT_KEYS: Readonly<Record<SortKey, string>> = {
  problems: 'Problems first',
  order: 'As they ran',
  name: 'Name',
  score: 'Score, low first',
  time: 'Time, slow first',
  cost: 'Cost, high first',
};

export function readOrder(query: URLSearchParams): Order {
  const key = query.get('sort') ?? '';
  const group = query.get('group') ?? '';
  return {
    key: Object.hasOwn(SORT_KEYS, key) ? (key as SortKey) : 'problems',
    isReversed: query.get('order') === 'reverse',
    group: Object.hasOwn(GROUPINGS, group) ? (group as Grouping) : 'reason',
  };
}

export function orderQuery({ key, isReversed, group }: Order): Query {
  return {
    sort: key === 'problems' ? undefined : key,
    order: isReversed ? 'reverse' : undefined,
    group: group === 'reason' ? undefined : group,
  };
}

export function sortTests(tests: readonly TestRow[], { key, isReversed }: Order): readonly TestRow[] {
  if (key === 'order') return isReversed ? tests.toReversed() : tests;
  if (key === 'problems' && !isReversed) return problemsFirst(tests);
  const sorted = tests.toSorted(COMPARE[key]);
  return isReversed ? sorted.reverse() : sorted;
}

const COMPARE: Readonly<Record<Exclude<SortKey, 'order'>, (a: TestRow, b: TestRow) => number>> = {
  problems: (a, b) => rank(a) - rank(b),
  name: (a, b) => (a.test < b.test ? -1 : a.test > b.test ? 1 : 0),
  // Unmeasured ones come last.
  score: (a, b) => (a.score ?? 2) - (b.score ?? 2),
  time: (a, b) => (b.durationMs ?? -1) - (a.durationMs ?? -1),
  cost: (a, b) => (b.costUsd ?? -1) - (a.costUsd ?? -1),
};

const RANKS = { failed: 0, error: 1, passed: 2, skipped: 3, not_graded: 4 } as const;

/** The urgency of a row; 0 is the highest. */
export function rank({ verdict }: TestRow): number {
  return RANKS[verdict];
}

/** The usual order, without comparing: it is rebuilt whenever rows stream in. */
function problemsFirst(tests: readonly TestRow[]): readonly TestRow[] {
  const first: TestRow[] = [];
  const ranks: TestRow[][] = [first, [], [], [], []];
  for (const row of tests) ranks[rank(row)]!.push(row);
  return first.concat(...ranks.slice(1));
}
