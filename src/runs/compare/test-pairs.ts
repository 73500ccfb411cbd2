import type { PairKind, TestChange, TestPair } from '../../base/model/comparison.ts';
import { testKey } from '../../base/model/test-key.ts';
import type { TestName } from '../../base/model/test-map.ts';
import { matchTests } from './match-tests.ts';
import { measuredOf, type ComparedTest, type RunSide } from './run-side.ts';

/**
 * Every test of either run with its counterpart: paired as the comparison pairs them, so that a list of tests can
 * never contradict its result.
 */
export function testPairs(
  before: RunSide,
  after: RunSide,
  changes: readonly TestChange[],
): readonly TestPair[] {
  const changed = new Map(changes.map((change) => [testKey(change), change]));
  const { matched, onlyBefore, onlyAfter } = matchTests(before.tests, after.tests);
  const [nameBefore, nameAfter] = [namesOf(before), namesOf(after)];
  return [
    ...matched.map((match): TestPair => {
      const change = changed.get(testKey(match.after));
      const own = nameAfter(match.after);
      const other = nameBefore(match.before);
      return {
        ...own,
        ...(other.file === own.file ? {} : { before_file: other.file }),
        ...(other.target === own.target ? {} : { before_target: other.target }),
        kind: change?.kind ?? kindOfUnchanged(match.before, match.after),
        ...(change?.p_value === undefined ? {} : { p_value: change.p_value }),
      };
    }),
    ...onlyAfter.map((test): TestPair => ({ ...nameAfter(test), kind: 'only_after' })),
    ...onlyBefore.map((test): TestPair => ({ ...nameBefore(test), kind: 'only_before' })),
  ];
}

/** As the records of that run name them. */
function namesOf({ files }: RunSide): (test: TestName) => TestName {
  const recorded = new Map([...files].map(([name, file]) => [file, name]));
  return ({ file, test, target }) => ({ file: recorded.get(file) ?? file, test, target });
}

/** A test that was skipped in both runs is the same; one that could not be measured is unknown. */
function kindOfUnchanged(before: ComparedTest, after: ComparedTest): PairKind {
  if (measuredOf(before) > 0 && measuredOf(after) > 0) return 'same';
  return isSkipped(before) && isSkipped(after) ? 'same' : 'unmeasured';
}

function isSkipped({ skipped, attempts }: ComparedTest): boolean {
  return skipped === attempts.length;
}
