import { expect, test } from 'vitest';
import { evidence } from '../../../test/evaluators/evidence.ts';
import { evaluatorEvidence } from './evaluator-evidence.ts';

const tools = { findFile: (path: string) => ({ path, inProject: path }) };

test('evaluators share one frozen copy of the evidence, so they cannot change the reply or the memory', () => {
  const memoryAfter = { user: { name: 'Ada' } };
  const given = evidence({
    memoryAfter,
    reply: { output: 'x', tool_calls: [{ tool: 'a', input: { n: [1] } }] },
  });
  const view = evaluatorEvidence(given, tools) as unknown as {
    readonly memory: { user: { name: string } };
    readonly tool_calls: { input: { n: number[] } }[];
  };
  expect(() => (view.memory.user.name = 'Bob')).toThrow(TypeError);
  expect(() => view.tool_calls[0]!.input.n.push(2)).toThrow(TypeError);
  expect(evaluatorEvidence(given, tools)).toBe(view);
  // The agent of the next step may change its own memory.
  expect(Object.isFrozen(memoryAfter.user)).toBe(false);
});

test('unknown values are null, and observed calls that were not reported are included', () => {
  const silent = evaluatorEvidence(evidence({ reply: { trace_gap: { kind: 'missing' } } }), tools);
  expect(silent).toMatchObject({ tool_calls: null, tools_used: null, output_messages: null, cost_usd: null });
  const reply = {
    tools_used: ['a'],
    tool_calls: [{ tool: 'a' }],
    unreported_calls: [{ tool: 'delete_all' }],
  };
  expect(evaluatorEvidence(evidence({ reply }), tools)).toMatchObject({ tools_used: ['a', 'delete_all'] });
});
