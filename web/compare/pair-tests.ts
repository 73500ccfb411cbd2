import type { PairKind, TestPair as ServerPair } from '../../src/base/model/comparison.ts';
import { testKey } from '../../src/base/model/test-key.ts';
import type { TestName } from '../../src/base/model/test-map.ts';
import type { TestRow } from '../run/test-row.ts';

export type { PairKind };

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

/** A pair of the comparison with its rows in both runs. */
export interface TestPair extends ServerPair {
  readonly key: string;
  readonly before?: TestRow | undefined;
  readonly after?: TestRow | undefined;
}

/** Adds the rows to the pairs of a comparison; the most important pairs first. */
export function withRows(
  pairs: readonly ServerPair[],
  before: readonly TestRow[],
  after: readonly TestRow[],
): readonly TestPair[] {
  const [olds, news] = [before, after].map((rows) => new Map(rows.map((row) => [row.key, row])));
  const kinds = Object.keys(PAIR_KINDS);
  return pairs
    .map((pair): TestPair => ({
      ...pair,
      key: `${pair.kind} ${testKey(pair)}`,
      before: pair.kind === 'only_after' ? undefined : olds!.get(testKey(nameBefore(pair))),
      after: pair.kind === 'only_before' ? undefined : news!.get(testKey(pair)),
    }))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

/** The names of a test in the earlier run. */
export function nameBefore({
  file,
  test,
  target,
  before_file = file,
  before_target = target,
}: TestName & Partial<Pick<ServerPair, 'before_file' | 'before_target'>>): TestName {
  return { file: before_file, test, target: before_target };
}
