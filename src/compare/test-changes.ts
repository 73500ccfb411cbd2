import type { TestChange } from '../model/comparison.ts';
import { fisherTest } from '../stats/fisher-test.ts';
import { holmCorrection } from '../stats/holm-correction.ts';
import { SAME_SCORE, type PairedTest } from './pairing.ts';

/** The tests that are not what they were: new failures first, within a kind what fell most first. */
export function testChanges(
  tests: readonly PairedTest[],
  { mayBeChance }: { readonly mayBeChance: boolean },
): readonly TestChange[] {
  const pValues = mayBeChance ? correctedPValues(tests) : new Map<PairedTest, number>();
  const changes: RankedChange[] = [];
  for (const paired of tests) {
    const kind = kindOf(paired);
    if (kind === undefined) continue;
    const { file, line, test, target, before, after, rates, scores } = paired;
    const fall = kind === 'score' ? scores.sum / scores.count : rates.sum / rates.count;
    const p_value = kind === 'score' ? undefined : pValues.get(paired);
    const change = { file, line, test, target, kind, before, after, p_value };
    changes.push({ change, rank: KINDS.indexOf(kind), fall });
  }
  return changes.sort(inOrder).map(({ change }) => change);
}

function kindOf({ before, after, better, worse, rates, scores }: PairedTest): TestChange['kind'] | undefined {
  if (before.verdict === 'passed' && after.verdict === 'failed') return 'new_failure';
  if (before.verdict === 'failed' && after.verdict === 'passed') return 'fix';
  if (better > 0 || worse > 0 || rates.sum !== 0) return 'flip';
  return scores.count > 0 && Math.abs(scores.sum / scores.count) > SAME_SCORE ? 'score' : undefined;
}

/**
 * Whether one test changed. All tests with repeats are looked at, changed or not, so all of them count in the correction.
 * A single attempt on each side can prove nothing, and is left out.
 */
function correctedPValues(tests: readonly PairedTest[]): ReadonlyMap<PairedTest, number> {
  const repeated = tests.filter(({ before, after }) => before.measured + after.measured > 2);
  const corrected = holmCorrection(repeated.map(({ before, after }) => fisherTest(before, after)));
  return new Map(repeated.map((test, index) => [test, corrected[index]!]));
}

const KINDS: readonly TestChange['kind'][] = ['new_failure', 'fix', 'flip', 'score'];

interface RankedChange {
  readonly change: TestChange;
  readonly rank: number;
  readonly fall: number;
}

function inOrder(a: RankedChange, b: RankedChange): number {
  return a.rank - b.rank || a.fall - b.fall || inOrderOfFiles(a.change, b.change);
}

function inOrderOfFiles(a: TestChange, b: TestChange): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line;
}
