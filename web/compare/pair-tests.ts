import type { Comparison } from '../../src/model/comparison.ts';
import { testKey, type TestRow } from '../run/test-row.ts';

export type PairKind =
  | 'new_failure'
  | 'fix'
  | 'flip'
  | 'score'
  | 'unmeasured'
  | 'only_before'
  | 'only_after'
  | 'same';

/** The most important first. */
export const PAIR_KINDS: Readonly<Record<PairKind, string>> = {
  new_failure: 'New failures',
  fix: 'Fixed',
  flip: 'Repeats differ',
  unmeasured: 'Not measured',
  score: 'Score',
  only_after: 'Only in the second',
  only_before: 'Only in the first',
  same: 'Same',
};

/** The same for one test. */
export const PAIR_KIND: Readonly<Record<PairKind, string>> = {
  ...PAIR_KINDS,
  new_failure: 'New failure',
};

/** A test of one target in two runs. */
export interface TestPair {
  readonly key: string;
  readonly file: string;
  readonly test: string;
  readonly target: string;
  readonly kind: PairKind;
  readonly before?: TestRow | undefined;
  readonly after?: TestRow | undefined;
  readonly pValue?: number | undefined;
}

/** Every test of either run, flips first. What the server found out about a test is included. */
export function pairTests(
  before: readonly TestRow[],
  after: readonly TestRow[],
  comparison: Comparison | undefined,
): readonly TestPair[] {
  const changes = new Map(comparison?.changes.map((change) => [testKey(change), change]));
  const olds = new Map(before.map((row) => [row.key, row]));
  const pairs = after.map((row) => createPair(olds.get(row.key), row));
  const isThere = new Set(after.map(({ key }) => key));
  for (const row of before) if (!isThere.has(row.key)) pairs.push(createPair(row, undefined));
  const kinds = Object.keys(PAIR_KINDS);
  return pairs
    .map((pair) => {
      const change = changes.get(pair.key);
      return change === undefined ? pair : { ...pair, kind: change.kind, pValue: change.p_value };
    })
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

function createPair(before: TestRow | undefined, after: TestRow | undefined): TestPair {
  const { key, file, test, target } = (after ?? before)!;
  return { key, file, test, target, before, after, kind: kindOf(before, after) };
}

function kindOf(before: TestRow | undefined, after: TestRow | undefined): PairKind {
  if (before === undefined) return 'only_after';
  if (after === undefined) return 'only_before';
  if (before.verdict === 'passed' && after.verdict === 'failed') return 'new_failure';
  if (before.verdict === 'failed' && after.verdict === 'passed') return 'fix';
  if (before.verdict !== after.verdict) return 'unmeasured';
  if (passShare(before) !== passShare(after)) return 'flip';
  return Math.abs((before.score ?? 0) - (after.score ?? 0)) > 1e-9 ? 'score' : 'same';
}

function passShare({ attempts }: TestRow): number {
  return attempts.filter(({ verdict }) => verdict === 'passed').length / attempts.length;
}
