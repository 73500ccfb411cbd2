import { describe, expect, test } from 'vitest';
import { cohensKappa } from './cohens-kappa.ts';
import { judgeAgreement } from './judge-agreement.ts';
import { wilsonInterval } from './wilson-interval.ts';

describe('wilsonInterval', () => {
  // scipy.stats.binomtest(count, total).proportion_ci(0.95, method='wilson')
  test.each([
    [0, 10, 0, 0.27753279986288926],
    [10, 10, 0.7224672001371109, 1],
    [7, 10, 0.39677814746114526, 0.892208732593699],
    [1, 1, 0.20654931437723745, 1],
    [0, 1, 0, 0.7934506856227626],
    [45, 50, 0.7863976856252034, 0.9565242350681095],
    [123, 1000, 0.10407414325107296, 0.1448112326470356],
  ])('%d of %d', (count, total, low, high) => {
    const interval = wilsonInterval(count, total);
    expect(interval.share).toBe(count / total);
    expect(interval.low).toBeCloseTo(low, 12);
    expect(interval.high).toBeCloseTo(high, 12);
  });

  test('is undefined without data', () => {
    expect(wilsonInterval(0, 0)).toEqual({
      count: 0,
      total: 0,
      share: undefined,
      low: undefined,
      high: undefined,
    });
  });
});

describe('cohensKappa', () => {
  // Computed with Python from the definition; the first is the textbook example.
  test.each([
    [[20, 5, 10, 15], 0.4],
    [[45, 15, 25, 15], 0.13043478260869554],
    [[25, 35, 5, 35], 0.2592592592592592],
    [[10, 0, 0, 10], 1],
    [[0, 10, 10, 0], -1],
    [[1, 0, 1, 0], 0],
    [[10, 0, 0, 0], undefined],
    [[0, 0, 0, 0], undefined],
  ])('%j is %d', ([true_positive, false_positive, false_negative, true_negative], expected) => {
    const kappa = cohensKappa({
      true_positive: true_positive!,
      false_positive: false_positive!,
      false_negative: false_negative!,
      true_negative: true_negative!,
    });
    if (expected === undefined) expect(kappa).toBeUndefined();
    else expect(kappa).toBeCloseTo(expected, 12);
  });
});

describe('judgeAgreement', () => {
  test('counts the verdicts of people and of the judge', () => {
    const { agreement, true_positive_rate, true_negative_rate, self_consistency, confusion } = judgeAgreement(
      [
        { label: true, verdict: true, votes: [true, true, false] },
        { label: true, verdict: false, votes: [false, false, false] },
        { label: false, verdict: false, votes: [false, true, false] },
        { label: false, verdict: true, votes: [true, true, true] },
        { label: true, verdict: true, votes: [true, true, true] },
      ],
    );
    expect(confusion).toEqual({ true_positive: 2, false_positive: 1, false_negative: 1, true_negative: 1 });
    expect(agreement).toMatchObject({ count: 3, total: 5 });
    expect(true_positive_rate).toMatchObject({ count: 2, total: 3 });
    expect(true_negative_rate).toMatchObject({ count: 1, total: 2 });
    expect(self_consistency).toBeCloseTo((2 / 3 + 1 + 2 / 3 + 1 + 1) / 5, 12);
  });

  test('single samples give no consistency', () => {
    expect(judgeAgreement([{ label: true, verdict: true, votes: [true] }]).self_consistency).toBeUndefined();
  });
});
