import { TestFamily } from '../../base/stats/test-family.ts';
import type { PairedTest } from './pairing.ts';

/** A single attempt on one side says nothing about chance: such a test is read as it is. */
export function isRepeated({ before, after }: Pick<PairedTest, 'before' | 'after'>): boolean {
  return before.measured > 1 && after.measured > 1;
}

/** Whether single tests changed, for those with repeats in both runs. Includes tests that did not change. */
export function repeatedTests(tests: readonly PairedTest[]): {
  readonly family: TestFamily;
  readonly pValues: ReadonlyMap<PairedTest, number>;
} {
  const repeated = tests.filter(isRepeated);
  const family = new TestFamily(repeated);
  const corrected = family.pValues();
  return { family, pValues: new Map(repeated.map((test, index) => [test, corrected[index]!])) };
}
