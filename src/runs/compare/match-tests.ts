import { TestMap, type TestName } from '../../base/model/test-map.ts';

export interface MatchedTests<B, A> {
  readonly matched: readonly { readonly before: B; readonly after: A }[];
  readonly onlyBefore: readonly B[];
  readonly onlyAfter: readonly A[];
}

/**
 * The tests that are in both runs, for the same target. If each run has one target and they differ, the comparison
 * is between those targets, so the target does not separate tests.
 */
export function matchTests<B extends TestName, A extends TestName>(
  before: readonly B[],
  after: readonly A[],
): MatchedTests<B, A> {
  const isOneEach = hasOneTarget(before) && hasOneTarget(after);
  const isSame = (one: TestName | undefined, other: TestName): one is B =>
    one?.test === other.test && one.file === other.file && (isOneEach || one.target === other.target);
  const nameOf = (test: TestName): TestName =>
    isOneEach ? { file: test.file, test: test.test, target: '' } : test;
  const isInOrder = after.map((test, index) => isSame(before[index], test));
  // Tests are mostly in the same order: then no look-up is needed.
  const others = before.filter((_, index) => isInOrder[index] !== true);
  const waiting = new TestMap<B>();
  for (const test of others) waiting.set(nameOf(test), test);
  const found = new Set<B>();
  const matched: { before: B; after: A }[] = [];
  const onlyAfter: A[] = [];
  for (const [index, test] of after.entries()) {
    const other = isInOrder[index] === true ? before[index] : waiting.get(nameOf(test));
    if (other === undefined || found.has(other)) onlyAfter.push(test);
    else {
      if (isInOrder[index] !== true) found.add(other);
      matched.push({ before: other, after: test });
    }
  }
  return { matched: matched.sort(inOrder), onlyBefore: others.filter((test) => !found.has(test)), onlyAfter };
}

interface Placed extends TestName {
  readonly line?: number | undefined;
}

/** Records come in the order in which attempts end. Sums and seeded tests must not depend on it, to the last digit. */
function inOrder({ after: a }: { readonly after: Placed }, { after: b }: { readonly after: Placed }): number {
  return (
    order(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    order(a.test, b.test) ||
    order(a.target, b.target)
  );
}

/** By code units: the same on every machine, in any locale. */
export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function hasOneTarget(tests: readonly TestName[]): boolean {
  return tests.every(({ target }) => target === tests[0]!.target);
}
