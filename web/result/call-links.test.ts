import { expect, test } from 'vitest';
import type { AssertionRecord, AttemptRecord } from '../../src/base/model/record.ts';
import { callLinks } from './call-links.tsx';

const CALLS = ['find', 'find', 'cancel', 'book'].map((tool) => ({ tool }));

function badTools(more: Partial<AssertionRecord>): readonly string[] {
  const assertion = { form: 'evaluator', kind: 'tool_trajectory', name: 'tools', passed: false, ...more };
  const steps = [{ input_messages: [], output: '', tool_calls: CALLS, assertions: [assertion] }];
  const { bad, calls } = callLinks({ steps, assertions: [] } as unknown as AttemptRecord);
  return calls.filter(({ key }) => bad.has(key)).map(({ key, call }) => `${key} ${call.tool}`);
}

test('only calls that break an upper limit are marked: a tool that was called too seldom made no call too many', () => {
  const details = {
    mode: 'any_order',
    limits: [
      { claim: 'book at least twice', holds: false, count: 1 },
      { claim: 'find at most once', holds: false, count: 2 },
      { claim: 'cancel never', holds: false, count: 1 },
      { claim: 'at most 2 calls in all', holds: false, count: 4 },
    ],
  };
  const expected = { mode: 'any_order', minimums: { book: 2 }, maximums: { find: 1 }, forbidden: ['cancel'] };
  expect(badTools({ details, expected })).toEqual(['1-1 find', '1-2 cancel']);
});
