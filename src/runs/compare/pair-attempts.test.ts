import { describe, expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { parseBaseline } from './baseline-text.ts';
import { compareRuns } from './compare-runs.ts';
import { pairAttempts } from './pair-attempts.ts';
import { ComparedFold, type RunSide } from './run-side.ts';

function rows(...records: readonly Partial<AttemptRecord>[]): RunSide {
  const folded = new ComparedFold((file) => file);
  for (const record of records) folded.addRecord(attemptRecord(record));
  return folded.side('r');
}
const paired = (before: RunSide, after: RunSide) => pairAttempts(before, after);

describe('scores', () => {
  const scored = (...scores: readonly number[]) =>
    rows(...scores.map((score, index) => ({ repeat: index + 1, score })));

  test('are means over the pairs, and their difference is after minus before', () => {
    const [one] = paired(scored(0.5, 1), scored(0.25, 0.75)).tests;
    expect(one).toMatchObject({
      before: { score: 0.75 },
      after: { score: 0.5 },
      scores: { count: 2, sum: -0.5, before: 1.5, after: 1, hasFallen: true },
    });
  });

  test('have fallen if one of them is lower by more than rounding', () => {
    const hasFallen = (before: readonly number[], after: readonly number[]) =>
      paired(scored(...before), scored(...after)).tests[0]!.scores.hasFallen;
    expect(hasFallen([0.5], [0.5])).toBe(false);
    expect(hasFallen([0.5], [0.5 - 1e-9])).toBe(false);
    expect(hasFallen([0.5], [0.4999])).toBe(true);
    expect(hasFallen([0.5, 0.5], [0.9, 0.4])).toBe(true);
    expect(hasFallen([0.5], [0.9])).toBe(false);
  });

  test('that one side does not have count on neither side', () => {
    const [one] = paired(
      rows({ score: 0.5 }, { repeat: 2 }),
      rows({ score: 1 }, { repeat: 2, score: 0 }),
    ).tests;
    expect(one).toMatchObject({
      before: { score: 0.5 },
      after: { score: 1 },
      scores: { count: 1, sum: 0.5 },
    });
    expect(paired(rows({}), rows({})).tests[0]!.before.score).toBeUndefined();
  });

  test('of a whole run are means over the tests that have scores', () => {
    const scores = (before: RunSide, after: RunSide) =>
      compareRuns(before, after, { rule: 'regression', alpha: 0.05 }).scores;
    const [before, after] = [scored(0.5, 1), scored(0.25, 0.75)];
    expect(scores(before, after)).toMatchObject({ before: 0.75, after: 0.5 });
    const plain = { test: 'u' };
    const beside = scores(
      rows({ test: 'a', score: 0.5 }, { test: 'b', score: 0.5 }, plain),
      rows({ test: 'a', score: 0.25 }, { test: 'b', score: 0.75 }, plain),
    );
    expect(beside).toEqual(
      scores(
        rows({ test: 'a', score: 0.5 }, { test: 'b', score: 0.5 }),
        rows({ test: 'a', score: 0.25 }, { test: 'b', score: 0.75 }),
      ),
    );
    expect(scores(rows({}), rows({}))).toEqual({});
  });
});

test('a difference of rates is never above one or below minus one', () => {
  const all = (verdict: 'passed' | 'failed') =>
    rows(
      ...['a', 'b', 'c'].flatMap((name) =>
        [1, 2].map((repeat) => ({
          test: name,
          repeat,
          verdict: name === 'a' && repeat === 1 ? ('passed' as const) : verdict,
        })),
      ),
    );
  const limits = (before: RunSide, after: RunSide) =>
    compareRuns(before, after, { rule: 'regression', alpha: 0.05 }).verdicts.by_test?.difference;
  const better = limits(all('failed'), all('passed'))!;
  const worse = limits(all('passed'), all('failed'))!;
  expect(better.high).toBe(1);
  expect(worse.low).toBe(-1);
});

test('a test is lost if it was measured before and now has only errors, or is skipped', () => {
  const lost = (...after: readonly Partial<AttemptRecord>[]) =>
    paired(rows({}, { repeat: 2 }), rows(...after)).lostTests;
  expect(lost({ verdict: 'error' }, { repeat: 2, verdict: 'error' })).toHaveLength(1);
  expect(lost({ verdict: 'error' }, { repeat: 2, verdict: 'skipped' })).toHaveLength(1);
  expect(lost({ verdict: 'skipped' }, { repeat: 2, verdict: 'skipped' })).toHaveLength(1);
  expect(lost({ verdict: 'error' }, { repeat: 2 })).toEqual([]);
  expect(paired(rows({ verdict: 'error' }), rows({ verdict: 'error' })).lostTests).toEqual([]);
});

test('repeats that only one side has are listed, and measures cover pairs only', () => {
  const pairing = paired(
    rows({ cost_usd: 1, duration_ms: 10 }, { repeat: 2, cost_usd: 5 }, { repeat: 4, verdict: 'error' }),
    rows({ cost_usd: 2, duration_ms: 30 }, { repeat: 3 }, { repeat: 4 }),
  );
  expect(pairing.onlyBefore).toEqual(['a.test.yaml::t::agent::2']);
  expect(pairing.onlyAfter).toEqual(['a.test.yaml::t::agent::3']);
  expect(pairing.unmeasured).toEqual(['a.test.yaml::t::agent::4']);
  expect(pairing.measures).toMatchObject({
    cost_usd: { before: 1, after: 2, pairs: 1 },
    latency_median_ms: { before: 10, after: 30, pairs: 1 },
    tokens: undefined,
  });
});

test('a baseline with invalid numbers is refused', () => {
  const one = { file: 'a', test: 't', target: 'x', verdict: 'passed', passed: 1, measured: 1 };
  const problem = (more: object) => {
    const read = parseBaseline(
      JSON.stringify({ assay_baseline: 1, run_id: 'r', tests: [{ ...one, ...more }] }),
    );
    return 'problem' in read ? read.problem : undefined;
  };
  expect(problem({ score: 1, latency_median_ms: 0, cost_usd: 9 })).toBeUndefined();
  expect(problem({ score: 1.5 })).toContain('score');
  expect(problem({ score: -0.1 })).toContain('score');
  expect(problem({ cost_usd: -1 })).toContain('cost_usd');
  expect(problem({ latency_median_ms: 'x' })).toContain('latency_median_ms');
  expect(problem({ passed: 2 })).toContain('passed');
  expect(problem({ measured: 1.5 })).toContain('measured');
  expect(problem({ verdict: 'fine' })).toContain('verdict');
});
