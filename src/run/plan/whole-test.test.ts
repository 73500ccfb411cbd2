import { expect, test } from 'vitest';
import type { Evidence } from '../../base/model/evidence.ts';
import type { Reply } from '../../base/model/reply.ts';
import { combineEvidence } from './whole-test.ts';

const step = (reply: Partial<Reply>, more: Partial<Evidence> = {}): Evidence =>
  ({
    test: { id: 't' },
    threshold: 0.8,
    file: 'a.yaml',
    input_messages: [{ role: 'user', content: 'q' }],
    expected_messages: [],
    reply: { output: 'o', ...reply },
    memoryBefore: {},
    memoryAfter: {},
    durationMs: 10,
    ...more,
  }) as Evidence;

test('a whole test has the first memory, the last output, and everything in between', () => {
  const one = step(
    {
      output: 'one',
      tools_used: ['a'],
      tool_calls: [{ tool: 'a' }],
      token_usage: { input: 1, output: 2 },
      cost_usd: 0.5,
      duration_ms: 3,
    },
    { memoryBefore: { x: 1 }, memoryAfter: { x: 2 } },
  );
  const two = step(
    {
      output: 'two',
      tools_used: ['b'],
      tool_calls: [{ tool: 'b' }],
      output_messages: [{ role: 'assistant', content: 'so: two' }],
      token_usage: { input: 10, output: 20 },
      cost_usd: 0.25,
      duration_ms: 4,
      memory: { x: 3 },
    },
    { memoryBefore: { x: 2 }, memoryAfter: { x: 3 }, durationMs: 5 },
  );
  expect(combineEvidence([one, two])).toMatchObject({
    test: { id: 't' },
    file: 'a.yaml',
    input_messages: [{ content: 'q' }, { content: 'q' }],
    memoryBefore: { x: 1 },
    memoryAfter: { x: 3 },
    durationMs: 15,
    reply: {
      output: 'two',
      tools_used: ['a', 'b'],
      tool_calls: [{ tool: 'a' }, { tool: 'b' }],
      memory: { x: 3 },
      output_messages: [{ content: 'one' }, { content: 'so: two' }],
      has_unreported_messages: true,
      token_usage: { input: 11, output: 22 },
      cost_usd: 0.75,
      duration_ms: 7,
    },
  });
});

test('what is unknown for one step is unknown for the whole test', () => {
  const said = {
    tools_used: ['a'],
    tool_calls: [],
    token_usage: { input: 1, output: 1 },
    cost_usd: 1,
    output_messages: [],
  };
  const { reply } = combineEvidence([step(said), step({})]);
  expect(reply).toMatchObject({
    tools_used: undefined,
    tool_calls: undefined,
    token_usage: undefined,
    cost_usd: undefined,
  });
  expect(combineEvidence([step(said), step(said)]).reply.has_unreported_messages).toBe(false);
});

test('of several gaps in the tool calls, the one with a place is reported', () => {
  const gap = (...gaps: readonly Reply['trace_gap'][]) =>
    combineEvidence(gaps.map((trace_gap) => step({ trace_gap }))).reply.trace_gap;
  expect(gap(undefined, undefined)).toBeUndefined();
  expect(gap(undefined, { kind: 'missing' })).toEqual({ kind: 'missing' });
  expect(gap({ kind: 'missing' }, { kind: 'unreadable', at: 'x' })).toEqual({ kind: 'unreadable', at: 'x' });
});
