import type { PairKind, TestChange, TestPair } from '../model/comparison.ts';
import { testKey } from '../model/test-key.ts';
import { matchTests } from './match-tests.ts';
import { isMeasured, type RunRows, type TestRows } from './run-rows.ts';

/**
 * Every test of either run with its counterpart: paired as the comparison pairs them, so that a list of tests can
 * never contradict its result.
 */
export function testPairs(
  before: RunRows,
  after: RunRows,
  changes: readonly TestChange[],
): readonly TestPair[] {
  const changed = new Map(changes.map((change) => [testKey(change), change]));
  const { matched, onlyBefore, onlyAfter } = matchTests(before.list(), after.list());
  return [
    ...matched.map((match): TestPair => {
      const change = changed.get(testKey(match.after));
      const own = nameIn(after, match.after);
      const other = nameIn(before, match.before);
      return {
        ...own,
        ...(other.file === own.file ? {} : { before_file: other.file }),
        ...(other.target === own.target ? {} : { before_target: other.target }),
        kind: change?.kind ?? kindOfUnchanged(match.before, match.after),
        ...(change?.p_value === undefined ? {} : { p_value: change.p_value }),
      };
    }),
    ...onlyAfter.map((test): TestPair => ({ ...nameIn(after, test), kind: 'only_after' })),
    ...onlyBefore.map((test): TestPair => ({ ...nameIn(before, test), kind: 'only_before' })),
  ];
}

/** As the records of that run name it. */
function nameIn(run: RunRows, { file, test, target }: TestRows): Pick<TestPair, 'file' | 'test' | 'target'> {
  return { file: run.recordedFile(file), test, target };
}

/** A test that was skipped in both runs is the same; one that could not be measured is unknown. */
function kindOfUnchanged(before: TestRows, after: TestRows): PairKind {
  if (hasMeasured(before) && hasMeasured(after)) return 'same';
  return isSkipped(before) && isSkipped(after) ? 'same' : 'unmeasured';
}

function hasMeasured({ attempts }: TestRows): boolean {
  return attempts.some(({ verdict }) => isMeasured(verdict));
}

function isSkipped({ attempts }: TestRows): boolean {
  return attempts.every(({ verdict }) => verdict === 'skipped');
}
