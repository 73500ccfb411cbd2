import * as fc from '../../../test/seeded-fast-check.ts';
import { describe, expect, test } from 'vitest';
import type { Comparison } from '../../base/model/comparison.ts';
import type { RecordOutline, Verdict } from '../../base/model/record.ts';
import { compareRuns } from './compare-runs.ts';
import { compareTargets } from './compare-targets.ts';
import { ComparedFold, type RunSide } from './run-side.ts';

const OPTIONS = { rule: 'regression', alpha: 0.05 } as const;
const VERDICTS: readonly Verdict[] = ['passed', 'failed', 'error', 'skipped'];

interface Made {
  readonly test: number;
  readonly target: string;
  readonly repeat: number;
  readonly verdict: Verdict;
  readonly score: number;
  readonly cost: number;
  readonly duration: number;
}

const attempt = fc.record<Made>({
  test: fc.integer({ min: 0, max: 24 }),
  target: fc.constantFrom('a', 'b', 'c/x'),
  repeat: fc.integer({ min: 1, max: 3 }),
  verdict: fc.constantFrom(...VERDICTS),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  cost: fc.double({ min: 0, max: 3, noNaN: true }),
  duration: fc.double({ min: 1, max: 5000, noNaN: true }),
});

function outline({ test: number, target, repeat, verdict, score, cost, duration }: Made): RecordOutline {
  return {
    id: `f.yaml::t${number}::${target}::${repeat}`,
    file: 'f.yaml',
    line: number + 1,
    test: `t${number}`,
    target,
    repeat,
    verdict,
    score: verdict === 'passed' || verdict === 'failed' ? score : undefined,
    fingerprint: `${target}-${number}`,
    duration_ms: duration,
    cost_usd: cost,
    started_at: '',
  } as unknown as RecordOutline;
}

function rowsOf(attempts: readonly Made[]): RunSide {
  const rows = new ComparedFold((file) => file);
  for (const one of attempts) rows.addRecord(outline(one));
  return rows.side('run');
}

const unique = (attempts: readonly Made[]): readonly Made[] => [
  ...new Map(attempts.map((one) => [`${one.test} ${one.target} ${one.repeat}`, one])).values(),
];

describe('targets of one run', () => {
  test('compare exactly as separate runs do, in whatever order the attempts end', () => {
    fc.assert(
      fc.property(
        fc.array(attempt, { maxLength: 150 }).map(unique),
        fc.infiniteStream(fc.nat()),
        (attempts, random) => {
          const shuffled = (some: readonly Made[]): readonly Made[] =>
            some
              .map((one) => ({ one, at: random.next().value as number }))
              .sort((a, b) => a.at - b.at)
              .map(({ one }) => one);
          const together = compareTargets(rowsOf(shuffled(attempts)), ['a', 'b', 'c/x'], OPTIONS);
          for (const within of together) {
            const [before, after] = [within.before.targets[0]!, within.after.targets[0]!];
            const alone = (target: string): RunSide =>
              rowsOf(shuffled(attempts.filter((one) => one.target === target)));
            expect(within).toEqual(compareRuns(alone(before), alone(after), OPTIONS));
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  const made = (number: number, target: string, verdict: Verdict = 'passed'): Made => ({
    test: number,
    target,
    verdict,
    repeat: 1,
    score: 1,
    cost: 0,
    duration: 1,
  });
  const pairsOf = (comparisons: readonly Comparison[]): readonly string[] =>
    comparisons.map(
      ({ before, after, pairs }) => `${before.targets.join()} ${after.targets.join()} ${pairs}`,
    );

  test('each target is compared with the first one that shares a test with it; without a common test, none is', () => {
    const rows = rowsOf([made(1, 'a'), made(2, 'b'), made(2, 'c'), made(2, 'd', 'error')]);
    expect(pairsOf(compareTargets(rows, ['a', 'b', 'c', 'd'], OPTIONS))).toEqual(['b c 1', 'b d 0']);
    expect(compareTargets(rowsOf([made(1, 'a'), made(2, 'b')]), ['a', 'b'], OPTIONS)).toEqual([]);
  });
});
