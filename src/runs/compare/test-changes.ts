import type { TestChange } from '../../base/model/comparison.ts';
import { SAME_SCORE, type PairedTest } from './pairing.ts';

/** The tests that changed: new failures first; within a kind, the largest drop first. */
export function testChanges(
  tests: readonly PairedTest[],
  pValues: ReadonlyMap<PairedTest, number>,
): readonly TestChange[] {
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
  const isSameRate = before.passed * after.measured === after.passed * before.measured;
  if (better > 0 || worse > 0 || rates.sum !== 0 || !isSameRate) return 'flip';
  return scores.count > 0 && Math.abs(scores.sum / scores.count) > SAME_SCORE ? 'score' : undefined;
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
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || (a.test < b.test ? -1 : a.test > b.test ? 1 : 0);
}
