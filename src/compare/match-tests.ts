interface Named {
  readonly file: string;
  readonly test: string;
  readonly target: string;
}

export interface MatchedTests<B, A> {
  readonly matched: readonly { readonly before: B; readonly after: A }[];
  readonly onlyBefore: readonly B[];
  readonly onlyAfter: readonly A[];
}

/**
 * The tests that are in both runs, for the same target. When each run has one target and it is not the same, the targets
 * are what is compared, and do not keep tests apart.
 */
export function matchTests<B extends Named, A extends Named>(
  before: readonly B[],
  after: readonly A[],
): MatchedTests<B, A> {
  const isOneEach = hasOneTarget(before) && hasOneTarget(after);
  const keyOf = ({ file, test, target }: Named): string => `${file}\0${test}\0${isOneEach ? '' : target}`;
  const waiting = new Map(before.map((test) => [keyOf(test), test]));
  const matched: { before: B; after: A }[] = [];
  const onlyAfter: A[] = [];
  for (const test of after) {
    const key = keyOf(test);
    const other = waiting.get(key);
    if (other === undefined) onlyAfter.push(test);
    else {
      waiting.delete(key);
      matched.push({ before: other, after: test });
    }
  }
  return { matched, onlyBefore: [...waiting.values()], onlyAfter };
}

function hasOneTarget(tests: readonly Named[]): boolean {
  return tests.every(({ target }) => target === tests[0]!.target);
}
