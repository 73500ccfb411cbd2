import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import { errorOf, measure, read } from './evidence.ts';

describe('latency', () => {
  it.each([
    [9, 1],
    [10, 1],
    [10.5, 0],
  ])('took %d ms of 10: %d', async (durationMs, score) => {
    expect((await measure({ type: 'latency', threshold: 10 }, { durationMs })).score).toBe(score);
  });
});

describe('cost', () => {
  it('is within the budget or not', async () => {
    expect((await measure({ type: 'cost', budget: 0.1 }, { reply: { cost_usd: 0.1 } })).score).toBe(1);
    expect((await measure({ type: 'cost', budget: 0.1 }, { reply: { cost_usd: 0.11 } })).score).toBe(0);
    expect((await measure({ type: 'cost', budget: 0 }, { reply: { cost_usd: 0 } })).score).toBe(1);
  });

  it('is an error if it is unknown', async () => {
    expect(await errorOf({ type: 'cost', budget: 0.1 })).toContain('cost_usd');
  });
});

describe('token_usage', () => {
  const reply = { token_usage: { input: 100, output: 20, cached: 30 } };

  it.each([
    [{ max_total: 150 }, 1],
    [{ max_total: 149 }, 0],
    [{ max_input: 100 }, 1],
    [{ max_output: 19 }, 0],
    [{ max_input: 100, max_output: 19 }, 0],
    [{ max_total: 150, max_input: 100, max_output: 20 }, 1],
  ])('%j: %d', async (limits, score) => {
    expect((await measure({ type: 'token_usage', ...limits }, { reply })).score).toBe(score);
  });

  it('is an error if it is unknown, and needs a limit', async () => {
    expect(await errorOf({ type: 'token_usage', max_total: 1 })).toContain('token_usage');
    expect(() => read({ type: 'token_usage' })).toThrow('missing_field');
  });
});

describe('execution_metrics', () => {
  const reply = {
    tool_calls: [{ tool: 'a' }, { tool: 'b' }],
    output_messages: [
      { role: 'assistant', content: 'x' } as const,
      { role: 'tool', content: 'y' } as const,
      { role: 'assistant', content: 'z' } as const,
    ],
    token_usage: { input: 10, output: 5 },
    cost_usd: 0.5,
  };

  it('is the share of limits that were met', async () => {
    const limits = {
      max_tool_calls: 2,
      max_llm_calls: 1,
      max_tokens: 15,
      max_cost_usd: 0.4,
      max_duration_ms: 10,
    };
    const outcome = await measure({ type: 'execution_metrics', ...limits }, { reply });
    expect(outcome.score).toBe(3 / 5);
    expect(outcome.misses).toEqual([
      'max_llm_calls: expected at most 1 call, got 2 calls',
      'max_cost_usd: expected at most $0.4, got $0.5',
    ]);
  });

  it('is an error that says which metric was not reported', async () => {
    const message = await errorOf({
      type: 'execution_metrics',
      max_tool_calls: 1,
      max_llm_calls: 1,
      max_cost_usd: 1,
      max_duration_ms: 99,
    });
    expect(message).toBe(
      'the agent did not report its tool calls (for `max_tool_calls`), its messages (for `max_llm_calls`), what it cost (for `max_cost_usd`)',
    );
    expect((await measure({ type: 'execution_metrics', max_duration_ms: 10 })).score).toBe(1);
  });
});

describe('memory', () => {
  const memoryAfter = JSON.parse(
    '{"user":{"name":"Ann","age":null,"riskLevel":3},"__proto__":{"x":1}}',
  ) as JsonObject;
  const on = (parameters: JsonObject): ReturnType<typeof measure> =>
    measure({ type: 'memory', ...parameters }, { memoryAfter, reply: { output: '', memory: memoryAfter } });

  it.each([
    [{ path: 'user.name', equals: 'Ann' }, 1],
    [{ path: 'user.name', equals: 'ann' }, 0],
    [{ path: 'user', equals: { riskLevel: 3, age: null, name: 'Ann' } }, 1],
    [{ path: 'user.age', equals: null }, 1],
    [{ path: 'user.email', equals: null }, 1],
    [{ path: 'user.name', matches: '^A' }, 1],
    [{ path: 'user.name', matches: '^B' }, 0],
    [{ path: 'user.riskLevel', matches: '3' }, 0],
    [{ path: 'user.email', matches: '' }, 0],
    [{ path: 'user.age', exists: true }, 1],
    [{ path: 'user.email', exists: true }, 0],
    [{ path: 'user.email', exists: false }, 1],
    [{ path: '__proto__.x', equals: 1 }, 1],
    [{ path: 'constructor', exists: true }, 0],
    [{ path: 'user.toString', exists: false }, 1],
  ])('%j: %d', async (parameters, score) => {
    expect((await on(parameters)).score).toBe(score);
  });

  it('says that a path is absent', async () => {
    expect(await on({ path: 'user.email', equals: null })).toMatchObject({
      warnings: [{ code: 'absent_path' }],
    });
  });

  it('compares large integers exactly', async () => {
    const outcome = await measure(
      { type: 'memory', path: 'id', equals: 9007199254740993n },
      { memoryAfter: { id: 9007199254740993n } },
    );
    expect(outcome.score).toBe(1);
    const other = await measure(
      { type: 'memory', path: 'id', equals: 9007199254740993n },
      { memoryAfter: { id: 9007199254740992 } },
    );
    expect(other.score).toBe(0);
  });

  it('is an error if a pattern takes too long, and accepts only one claim', async () => {
    const slow = { type: 'memory', path: 'text', matches: '(a+)+$' };
    expect(await errorOf(slow, { memoryAfter: { text: `${'a'.repeat(5000)}!` } })).toContain(
      'could not be matched',
    );
    expect(() => read({ type: 'memory', path: 'a' })).toThrow('exactly one of');
    expect(() => read({ type: 'memory', path: 'a', equals: 1, exists: true })).toThrow('exactly one of');
  });
});
