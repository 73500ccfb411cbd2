import { describe, expect, test } from 'vitest';
import { assertionRecord, attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import { Budget } from './budget.ts';
import { RunCosts } from '../verdicts/run-costs.ts';
import { spendingOf } from '../../base/model/spending.ts';
import { judgeSpending } from '../grade/judge-spending.ts';

describe('the cost of an attempt', () => {
  test('is the cost in its record', () => {
    const steps = [stepRecord({ output: 'a', cost_usd: 5 })];
    expect(spendingOf(attemptRecord({ cost_usd: 0.5, judge_cost_usd: 0.25, judge_calls: 2, steps }))).toEqual(
      {
        agent: 0.5,
        judges: 0.25,
        isAgentUnknown: false,
        isJudgeUnknown: false,
      },
    );
  });

  test('is that of the finished steps if it broke off; a finished step without a cost makes it unknown', () => {
    const answered = [
      stepRecord({ output: 'a', cost_usd: 0.25 }),
      stepRecord({ output: 'b', cost_usd: 0.5 }),
    ];
    const broken = stepRecord({ error: { kind: 'timeout', message: '' } });
    expect(spendingOf(attemptRecord({ steps: [...answered, broken] }))).toMatchObject({
      agent: 0.75,
      isAgentUnknown: false,
    });
    expect(spendingOf(attemptRecord({ steps: [...answered, stepRecord({ output: '' })] }))).toMatchObject({
      agent: 0.75,
      isAgentUnknown: true,
    });
    expect(spendingOf(attemptRecord({ steps: [broken] }))).toMatchObject({
      agent: undefined,
      isAgentUnknown: false,
    });
  });

  test('includes the judges with a known cost even if another has none', () => {
    const judged = [
      assertionRecord({ judge_calls: 1, judge_cost_usd: 0.25 }),
      assertionRecord({ judge_calls: 1 }),
    ];
    const record = attemptRecord({
      judge_calls: 3,
      steps: [stepRecord({ assertions: judged })],
      assertions: [assertionRecord({ judge_calls: 1, judge_cost_usd: 0.5 })],
    });
    expect(spendingOf(record)).toMatchObject({ judges: 0.75, isJudgeUnknown: true });
    expect(spendingOf(attemptRecord({ judge_calls: 1 }))).toMatchObject({
      judges: undefined,
      isJudgeUnknown: true,
    });
    expect(spendingOf(attemptRecord())).toMatchObject({ judges: undefined, isJudgeUnknown: false });
  });

  test('sums the judges of all assertions, and is absent if no judge was called', () => {
    const usage = { input: 10, output: 2 };
    const one = assertionRecord({ judge_calls: 1, judge_cost_usd: 0.25, judge_token_usage: usage });
    const two = assertionRecord({ judge_calls: 2, judge_cost_usd: 0.5, judge_token_usage: usage });
    expect(judgeSpending([[assertionRecord()], []])).toBeUndefined();
    expect(judgeSpending([[assertionRecord(), one], [two]])).toEqual({
      judge_calls: 3,
      judge_cost_usd: 0.75,
      judge_token_usage: { input: 20, output: 4 },
    });
  });
});

describe('a budget', () => {
  test('is spent exactly when its limit is reached', () => {
    const budget = new Budget(0.9);
    budget.add(attemptRecord({ cost_usd: 0.7 }));
    expect([budget.spent, budget.isSpent]).toEqual([0.7, false]);
    budget.add(attemptRecord({ judge_cost_usd: 0.2, judge_calls: 1 }));
    expect(budget.spent).toBeCloseTo(0.9);
    expect(budget.isSpent).toBe(true);
    const open = new Budget(0.9);
    open.add(attemptRecord({ cost_usd: 0.8999 }));
    expect(open.isSpent).toBe(false);
  });

  test('reports an unknown cost once for each agent and once for the judges', () => {
    const budget = new Budget(1);
    const silent = { steps: [stepRecord({ output: 'a' })] };
    const codes = (fields: Parameters<typeof attemptRecord>[0]) =>
      budget.add(attemptRecord(fields)).map(({ code, severity, path, line }) => [code, severity, path, line]);
    expect(codes({ ...silent, target: 'one' })).toEqual([['cost_unknown', 'warning', 't', 3]]);
    expect(codes({ ...silent, target: 'one' })).toEqual([]);
    expect(codes({ ...silent, target: 'two', judge_calls: 1 })).toHaveLength(2);
    expect(codes({ judge_calls: 1 })).toEqual([]);
    expect(codes({ cost_usd: 1, target: 'three' })).toEqual([]);
  });
});

test('a run sums the known costs and counts the attempts with unknown ones', () => {
  const costs = new RunCosts();
  expect(costs.summary()).toEqual({
    cost_usd: undefined,
    token_usage: undefined,
    judge_cost_usd: undefined,
    judge_token_usage: undefined,
    attempts_without_cost: 0,
  });
  costs.add(attemptRecord({ cost_usd: 0.5, token_usage: { input: 1, output: 2 } }));
  costs.add(
    attemptRecord({
      cost_usd: 0.25,
      judge_calls: 1,
      judge_cost_usd: 2,
      judge_token_usage: { input: 5, output: 6 },
    }),
  );
  costs.add(
    attemptRecord({
      steps: [stepRecord({ output: 'a' })],
      token_usage: { input: 10, output: 20, cached: 3 },
    }),
  );
  costs.add(attemptRecord({ cost_usd: 0, judge_calls: 1, judge_token_usage: { input: 1, output: 1 } }));
  expect(costs.summary()).toEqual({
    cost_usd: 0.75,
    token_usage: { input: 11, output: 22, cached: 3 },
    judge_cost_usd: 2,
    judge_token_usage: { input: 6, output: 7 },
    attempts_without_cost: 2,
  });
});
