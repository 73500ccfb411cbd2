import { describe, expect, test } from 'vitest';
import { redactorOf } from '../../src/base/match/redact-secrets.ts';
import { parseCase } from '../formats/parse-case.ts';
import { errorOf, evaluate, measure } from './evidence.ts';

const codes = (...evaluators: readonly object[]): readonly string[] =>
  parseCase({ id: 'a', input: 'q', evaluators }, 'yaml').findings.map(({ code }) => code);

describe('limits that every reply or no reply meets', () => {
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

test('values that are empty, not text or not whole numbers are refused', () => {
  expect(codes({ type: 'field_accuracy', fields: [{ path: '', match: 'exact' }] })).not.toEqual([]);
  expect(codes({ type: 'code_judge', script: 'a.py', target: { max_calls: 1.5 } })).not.toEqual([]);
  expect(codes({ type: 'code_judge', script: 'a.py', target: { max_calls: 0 } })).toEqual([]);
});

test('a composite with an unmeasured member has the error kind of that member', async () => {
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

test('a different tool in place of the expected one is named', async () => {
  const { details } = await measure(
    { type: 'tool_trajectory', mode: 'exact', expected: [{ tool: 'a' }] },
    { reply: { tools_used: ['b'], tool_calls: [{ tool: 'b' }] } },
  );
  expect(details).toMatchObject({ wrong_tool: [{ expected_tool: 'a' }] });
});

test('a value that was not reported is an error that names it', async () => {
  expect(await errorOf({ type: 'cost', budget: 1 }, {})).toContain('cost');
});

test.each([0, 1, 2])('a base64 secret after %d other bytes is redacted completely', (shift) => {
  const redactor = redactorOf(['hunter2-hunter2']);
  const encoded = btoa(`${'~'.repeat(shift)}hunter2-hunter2`);
  const left = redactor.text(encoded).replace(/\[redacted[^\]]*\]/, '');
  // In base64, the text before it shares a character with it, and so does the text after it.
  expect(left.replaceAll('=', '').length).toBeLessThanOrEqual(
    shift === 0 ? 0 : shift + 1 + (shift === 1 ? 1 : 0) + 1,
  );
});
