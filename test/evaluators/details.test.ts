import { describe, expect, test } from 'vitest';
import { redactorOf } from '../../src/match/redact-secrets.ts';
import { parseCase } from '../formats/parse-case.ts';
import { errorOf, evaluate, measure } from './evidence.ts';

const codes = (...evaluators: readonly object[]): readonly string[] =>
  parseCase({ id: 'a', input: 'q', evaluators }, 'yaml').findings.map(({ code }) => code);

describe('limits that no reply, or every reply, stays within', () => {
  test.each<[object, readonly string[]]>([
    [{ type: 'latency', threshold: 1 }, []],
    [{ type: 'latency', threshold: 0.5 }, ['limit_too_low']],
    [{ type: 'latency', threshold: 86_399_999 }, []],
    [{ type: 'latency', threshold: 86_400_000 }, ['limit_too_high']],
    [{ type: 'execution_metrics', max_llm_calls: 1 }, []],
    [{ type: 'execution_metrics', max_llm_calls: 0 }, ['limit_too_low']],
    [{ type: 'execution_metrics', max_llm_calls: 999 }, []],
    [{ type: 'execution_metrics', max_llm_calls: 1000 }, ['limit_too_high']],
    [{ type: 'execution_metrics', max_tool_calls: 0 }, []],
    [{ type: 'execution_metrics', max_tool_calls: 1000 }, ['limit_too_high']],
    [{ type: 'cost', budget: 999 }, []],
    [{ type: 'cost', budget: 1000 }, ['limit_too_high']],
    [{ type: 'token_usage', max_total: 1 }, []],
    [{ type: 'token_usage', max_total: 0 }, ['limit_too_low']],
  ])('%j', (evaluator, found) => {
    expect(codes(evaluator)).toEqual(found);
  });
});

test('what is not text, not a whole number or empty is refused', () => {
  expect(codes({ type: 'field_accuracy', fields: [{ path: '', match: 'exact' }] })).not.toEqual([]);
  expect(codes({ type: 'code_judge', script: 'a.py', target: { max_calls: 1.5 } })).not.toEqual([]);
  expect(codes({ type: 'code_judge', script: 'a.py', target: { max_calls: 0 } })).toEqual([]);
});

test('a composite whose member could not be measured blames who is to blame', async () => {
  const composite = (member: object) => ({
    type: 'composite',
    evaluators: [{ name: 'm', ...member }],
    aggregator: { type: 'weighted_average' },
  });
  const kindOf = async (member: object) => {
    const outcome = await evaluate(
      composite(member) as never,
      {},
      { assess: () => Promise.reject(Object.assign(new Error('down'), { spent: undefined })) },
    );
    return 'error' in outcome ? outcome.error.kind : outcome.score;
  };
  expect(await kindOf({ type: 'cost', budget: 1 })).toBe('assertion');
  expect(await kindOf({ type: 'contains', value: 'x' })).toBe(0);
});

test('another tool in the place of the one that is expected is told', async () => {
  const { details } = await measure(
    { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a' }] },
    { reply: { tools_used: ['b'], tool_calls: [{ tool: 'b' }] } },
  );
  expect(details).toMatchObject({ wrong_tool: [{ expected_tool: 'a' }] });
});

test('what was not reported is an error with its name', async () => {
  expect(await errorOf({ type: 'cost', budget: 1 }, {})).toContain('cost');
});

test.each([0, 1, 2])('a secret in base64 leaves nothing of itself behind %d other bytes', (shift) => {
  const redactor = redactorOf(['hunter2-hunter2']);
  const encoded = btoa(`${'~'.repeat(shift)}hunter2-hunter2`);
  const left = redactor.text(encoded).replace(/\[redacted[^\]]*\]/, '');
  // What stands before it shares a letter with it, and so does what stands behind.
  expect(left.replaceAll('=', '').length).toBeLessThanOrEqual(
    shift === 0 ? 0 : shift + 1 + (shift === 1 ? 1 : 0) + 1,
  );
});
