import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/model/json.ts';
import type { Reply } from '../../src/base/model/reply.ts';
import { errorOf, measure } from './evidence.ts';

const trajectory = (parameters: JsonObject): JsonObject => ({ type: 'tool_trajectory', ...parameters });
const scoreOf = async (evaluator: JsonObject, reply: Partial<Reply>): Promise<number> =>
  (await measure(evaluator, { reply })).score;

describe('MCP tools', () => {
  const reply = {
    tools_used: ['mcp__bank__pay'],
    tool_calls: [{ tool: 'mcp__bank__pay', input: { sum: 7 } }],
  };

  it.each<[JsonObject, number]>([
    [{ mode: 'exact', expected: [{ tool: 'pay', args: { sum: 7 } }] }, 1],
    [{ mode: 'exact', expected: [{ tool: 'mcp__bank__pay', args: { sum: 7 } }] }, 1],
    [{ mode: 'exact', expected: [{ tool: 'mcp__shop__pay' }] }, 0],
    [{ forbidden: ['pay'] }, 0],
    [{ forbidden: ['mcp__shop__pay'] }, 1],
    [{ forbidden: ['bank__pay'] }, 1],
    [{ maximums: { pay: 0 } }, 0],
    [{ minimums: { pay: 1 } }, 1],
  ])('%j scores %d', async (parameters, score) => {
    expect(await scoreOf(trajectory(parameters), reply)).toBe(score);
  });

  it('a tool may have two underscores in its own name', async () => {
    const own = { tool_calls: [{ tool: 'mcp__bank__pay__now' }] };
    expect(await scoreOf(trajectory({ forbidden: ['pay__now'] }), own)).toBe(0);
    expect(await scoreOf(trajectory({ forbidden: ['now'] }), own)).toBe(1);
  });
});

describe('names of tools in letters of any case', () => {
  const reply = { tool_calls: [{ tool: 'Bash', input: { command: 'ls' } }, { tool: 'mcp__fs__Read' }] };

  it.each<[JsonObject, number]>([
    [{ forbidden: ['bash'] }, 0],
    [{ forbidden: ['read'] }, 0],
    [{ forbidden: ['edit'] }, 1],
    [{ maximums: { BASH: 0 } }, 0],
    [{ minimums: { bash: 1 } }, 1],
    [{ mode: 'exact', expected: [{ tool: 'bash', args: { command: 'ls' } }, { tool: 'read' }] }, 1],
    [{ mode: 'subset', expected: [{ tool: 'bash' }, { tool: 'Read' }] }, 1],
  ])('%j scores %d, and without `ignore_case` the names differ', async (parameters, score) => {
    expect(await scoreOf(trajectory({ ...parameters, ignore_case: true }), reply)).toBe(score);
    if ('forbidden' in parameters) expect(await scoreOf(trajectory(parameters), reply)).toBe(1);
  });
});

describe('the calls of one agent', () => {
  const reply: Partial<Reply> = {
    tool_calls: [
      { tool: 'ask_expert' },
      { tool: 'search', agent: 'expert' },
      { tool: 'search', agent: 'expert' },
      { tool: 'delete', agent: 'other' },
    ],
  };

  it.each<[JsonObject, number]>([
    [{ agent: 'main', mode: 'exact', expected: [{ tool: 'ask_expert' }] }, 1],
    [{ agent: 'expert', mode: 'exact', expected: [{ tool: 'search' }, { tool: 'search' }] }, 1],
    [{ mode: 'exact', expected: [{ tool: 'ask_expert' }] }, 0],
    [{ agent: 'expert', max_calls: 2 }, 1],
    [{ agent: 'expert', maximums: { search: 1 } }, 0],
    [{ agent: 'main', forbidden: ['delete'] }, 0],
    [{ agent: 'expert', forbidden: ['delete'] }, 0],
  ])('%j scores %d', async (parameters, score) => {
    expect(await scoreOf(trajectory(parameters), reply)).toBe(score);
  });

  it('are unknown if nothing says which agent made them', async () => {
    const unknown = { tool_calls: [{ tool: 'search' }] };
    const claim = trajectory({ agent: 'expert', max_calls: 5 });
    expect(await errorOf(claim, { reply: unknown })).toContain('no call of the agent expert is known');
    expect(await scoreOf(trajectory({ agent: 'main', max_calls: 0 }), unknown)).toBe(0);
    expect(await errorOf(trajectory({ agent: 'exprt', max_calls: 0 }), { reply })).toContain(
      '(there are expert, other)',
    );
  });
});

describe('a duration between two model calls', () => {
  const claim = trajectory({ mode: 'exact', expected: [{ tool: 'a', max_duration_ms: 100 }, { tool: 'b' }] });
  const made = (duration_ms: number, duration_bound: 'alone' | 'parallel'): Partial<Reply> => ({
    tool_calls: [{ tool: 'a', duration_ms, duration_bound }, { tool: 'b' }],
  });

  it('fails a call that ran alone', async () => {
    expect(await scoreOf(claim, made(101, 'alone'))).toBeLessThan(0.8);
    expect(await scoreOf(claim, made(100, 'alone'))).toBe(1);
  });

  it('leaves a call that ran in parallel undecided, unless it is within the limit', async () => {
    expect(await errorOf(claim, { reply: made(101, 'parallel') })).toContain('how long a took is not known');
    expect(await scoreOf(claim, made(100, 'parallel'))).toBe(1);
  });

  it('does not matter if the call is wrong anyway', async () => {
    const other = {
      tool_calls: [{ tool: 'x' }, { tool: 'y', duration_ms: 500, duration_bound: 'parallel' as const }],
    };
    expect(await scoreOf(claim, other)).toBe(0);
  });
});

describe('tokens that are only partly known', () => {
  const reply: Partial<Reply> = {
    token_usage: { input: 100, output: 20 },
    usage_complete: false,
    cost_usd: 0.5,
  };

  it('can break a limit, but never meet one', async () => {
    expect(await scoreOf({ type: 'token_usage', max_total: 119 }, reply)).toBe(0);
    expect(await errorOf({ type: 'token_usage', max_total: 120 }, { reply })).toContain(
      '`max_total` cannot be decided',
    );
    expect(await scoreOf({ type: 'token_usage', max_total: 1000, max_input: 99 }, reply)).toBe(0);
    expect(await scoreOf({ type: 'cost', budget: 0.4 }, reply)).toBe(0);
    expect(await errorOf({ type: 'cost', budget: 0.5 }, { reply })).toContain('`budget` cannot be decided');
    expect(await errorOf({ type: 'execution_metrics', max_tokens: 200 }, { reply })).toContain(
      '`max_tokens`',
    );
    expect(await scoreOf({ type: 'execution_metrics', max_tokens: 2 }, reply)).toBe(0);
  });

  it('do not affect a cost that the agent reported', async () => {
    const reported: Partial<Reply> = { ...reply, evidence: { cost_usd: 'reported' } };
    expect(await scoreOf({ type: 'cost', budget: 0.5 }, reported)).toBe(1);
  });

  it('observed model calls are counted', async () => {
    const seen: Partial<Reply> = { model_calls: 3, output_messages: [{ role: 'assistant', content: 'x' }] };
    expect(await scoreOf({ type: 'execution_metrics', max_llm_calls: 2 }, seen)).toBe(0);
    expect(await scoreOf({ type: 'execution_metrics', max_llm_calls: 3 }, seen)).toBe(1);
  });
});
