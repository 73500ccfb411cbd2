import type { Detectable } from '../../base/model/comparison.ts';
import type { AveragedPairs } from '../../base/stats/averaged-pairs.ts';
import { smallestDrop } from '../../base/stats/smallest-drop.ts';
import { repeatsToShowOne, smallestTestDrop } from '../../base/stats/smallest-test-drop.ts';
import type { TestFamily } from '../../base/stats/test-family.ts';
import type { PairedTest } from './pairing.ts';
import { isRepeated } from './repeated-tests.ts';

/** How often a real difference should be detected. */
export const POWER = 0.8;

interface Compared {
  readonly tests: readonly PairedTest[];
  readonly rates: AveragedPairs;
  readonly family: TestFamily;
  readonly alpha: number;
}

/** The smallest drops that the data of this comparison would have shown. */
export function findDetectable({ tests, rates, family, alpha }: Compared): Detectable {
  const options = { alpha, power: POWER };
  const repeated = tests.filter(isRepeated);
  const passedBefore = tests.reduce((sum, { before }) => sum + before.passed / before.measured, 0);
  let test: Detectable['test'];
  for (const { before, after } of commonShapes(repeated)) {
    const found = smallestTestDrop({ before, after }, family, options);
    if (found !== undefined) {
      test = { before, after, at_most: found.atMost, drop: found.drop };
      break;
    }
  }
  const single_tests = tests.length - repeated.length;
  const varying = Math.max(1, tests.filter(isVarying).length);
  return {
    power: POWER,
    whole: smallestDrop(rates, { ...options, largest: passedBefore / tests.length }),
    test,
    repeats_for_a_test: test === undefined || single_tests > 0 ? repeatsToShowOne(varying, alpha) : undefined,
    single_tests,
  };
}

/** Some attempts passed, and some did not. */
function isVarying({ before, after }: PairedTest): boolean {
  const passed = before.passed + after.passed;
  return passed > 0 && passed < before.measured + after.measured;
}

/** How often tests were measured in both runs; the most common numbers first. */
function commonShapes(tests: readonly PairedTest[]): readonly { before: number; after: number }[] {
  const shapes = new Map<string, { before: number; after: number; tests: number }>();
  for (const { before, after } of tests) {
    const key = `${before.measured} ${after.measured}`;
    const shape = shapes.get(key);
    if (shape === undefined) shapes.set(key, { before: before.measured, after: after.measured, tests: 1 });
    else shape.tests++;
  }
  return [...shapes.values()].sort(
    (a, b) => b.tests - a.tests || b.before + b.after - a.before - a.after || b.before - a.before,
  );
}
