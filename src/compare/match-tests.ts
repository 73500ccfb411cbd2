import { TestMap, type TestName } from '../model/test-map.ts';

export interface MatchedTests<B, A> {
  readonly matched: readonly { readonly before: B; readonly after: A }[];
  readonly onlyBefore: readonly B[];
  readonly onlyAfter: readonly A[];
}

/**
 * The tests that are in both runs, for the same target. When each run has one target and it is not the same, the targets
 * are what is compared, and do not keep tests apart.
 */
export function matchTests<B extends TestName, A extends TestName>(
  before: readonly B[],
  after: readonly A[],
): MatchedTests<B, A> {
  const isOneEach = hasOneTarget(before) && hasOneTarget(after);
  const isSame = (one: TestName, other: TestName): boolean =>
    one.test === other.test && one.file === other.file && (isOneEach || one.target === other.target);
  const matched: { before: B; after: A }[] = [];
  const [leftBefore, leftAfter]: [B[], A[]] = [[], []];
  // Tests mostly come in the same order: these need not be looked up.
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [one, other] = [before[index], after[index]];
    if (one !== undefined && other !== undefined && isSame(one, other))
      matched.push({ before: one, after: other });
    else {
      if (one !== undefined) leftBefore.push(one);
      if (other !== undefined) leftAfter.push(other);
    }
  }
  const nameOf = (test: TestName): TestName =>
    isOneEach ? { file: test.file, test: test.test, target: '' } : test;
  const waiting = new TestMap<B>();
  for (const test of leftBefore) waiting.set(nameOf(test), test);
  const found = new Set<B>();
  const onlyAfter: A[] = [];
  for (const test of leftAfter) {
    const other = waiting.get(nameOf(test));
    if (other === undefined || found.has(other)) onlyAfter.push(test);
    else {
      found.add(other);
      matched.push({ before: other, after: test });
    }
  }
  return { matched, onlyBefore: leftBefore.filter((test) => !found.has(test)), onlyAfter };
}

function hasOneTarget(tests: readonly TestName[]): boolean {
  return tests.every(({ target }) => target === tests[0]!.target);
}
