import { expect, test } from 'vitest';
import { attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import { costOf, CostEstimate } from './cost-estimate.ts';

test('an attempt cost what its agent and its judges cost; an attempt that never ran is taken for average', () => {
  const steps = [stepRecord({ cost_usd: 0.1, model_calls: 3 })];
  const judged = costOf(attemptRecord({ steps, judge_cost_usd: 0.3 }));
  const judgedOnly = costOf(attemptRecord({ judge_cost_usd: 0.2 }));
  const free = costOf(attemptRecord());
  expect([judged, judgedOnly, free]).toEqual([
    { calls: 3, cost: 0.4 },
    { calls: 0, cost: 0.2 },
    { calls: 0, cost: undefined },
  ]);
  const estimate = new CostEstimate();
  for (const earlier of [judged, judgedOnly, free, undefined]) estimate.add(earlier);
  const { model_calls, cost_usd } = estimate.total(4);
  expect(model_calls).toBe(4);
  expect(cost_usd).toBeCloseTo(0.8);
});
