import { outcomeWords } from '../../src/base/model/comparison-headline.ts';
import type { ListedComparison, TestPair } from '../../src/base/model/comparison.ts';
import type { TestName } from '../../src/base/model/test-map.ts';
import type { Verdict } from '../../src/base/model/record.ts';
import { PAIR_KIND } from '../compare/pair-tests.ts';

/** What became of one test between two runs, in the words of `assay compare`. Undefined if neither run has it. */
export function pairHeadline(
  { test_pairs, changes }: Pick<ListedComparison, 'test_pairs' | 'changes'>,
  name: TestName,
): { readonly outcome: Verdict | undefined; readonly sentence: string } | undefined {
  const isNamed = (one: TestName): boolean =>
    one.file === name.file && one.test === name.test && one.target === name.target;
  const pair = test_pairs.find(isNamed);
  if (pair === undefined) return undefined;
  const change = changes.find(isNamed);
  const kind = KINDS[pair.kind] ?? PAIR_KIND[pair.kind];
  return {
    outcome: OUTCOMES[pair.kind],
    sentence: change === undefined ? kind : `${kind}: ${outcomeWords(change)}`,
  };
}

const KINDS: Partial<Record<TestPair['kind'], string>> = {
  same: 'No change: the verdict and the score are the same in both runs',
  score: 'Same verdict, another score',
  flip: 'Same verdict, but repeats differ',
  unmeasured: 'Not measured in one of the two runs',
  only_before: 'Only in the first run',
  only_after: 'Only in the second run',
};

const OUTCOMES: Partial<Record<TestPair['kind'], Verdict>> = {
  new_failure: 'failed',
  fix: 'passed',
  unmeasured: 'error',
};
