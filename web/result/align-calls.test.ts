import { expect, test } from 'vitest';
import type { Json } from '../../src/base/model/json.ts';
import type { AssertionRecord } from '../../src/base/model/record.ts';
import { alignCalls } from './align-calls.ts';

function assertion(more: {
  readonly expected: Json;
  readonly actual: Json;
  readonly details: Json;
}): AssertionRecord {
  const place = { file: 'a.yaml', line: 1, column: 1 };
  return {
    form: 'evaluator',
    kind: 'tool_trajectory',
    name: 'tools',
    weight: 1,
    message: '',
    ...place,
    ...more,
  };
}

test('calls are next to the expected ones, and extra calls where they were made', () => {
  const rows = alignCalls(
    assertion({
      expected: [{ tool: 'find' }, { tool: 'refund' }, { tool: 'mail' }],
      actual: [{ tool: 'log' }, { tool: 'find' }, { tool: 'refund' }, { tool: 'bye' }],
      details: {
        matched: [{ tool: 'find', expected: 0, actual: 1 }],
        wrong_arguments: [{ tool: 'refund', expected: 1, actual: 2, differences: [{ path: 'amount' }] }],
        missing: [{ tool: 'mail', expected: 2 }],
        extra: [
          { tool: 'log', actual: 0 },
          { tool: 'bye', actual: 3 },
        ],
      },
    }),
  );
  expect(rows?.map(({ state, expected, actual }) => [state, expected?.['tool'], actual?.['tool']])).toEqual([
    ['extra', undefined, 'log'],
    ['matched', 'find', 'find'],
    ['wrong_arguments', 'refund', 'refund'],
    ['missing', 'mail', undefined],
    ['extra', undefined, 'bye'],
  ]);
});

test('in subset mode, an expected call may match several calls or none; another tool takes its place', () => {
  const rows = alignCalls(
    assertion({
      expected: [{ tool: 'find' }, { tool: 'mail' }, { tool: 'log' }],
      actual: [{ tool: 'find' }, { tool: 'find' }, { tool: 'bye' }],
      details: {
        matched: [{ tool: 'find', expected: 0, actual: 0 }],
        wrong_arguments: [{ tool: 'find', expected: 0, actual: 1, differences: [] }],
        wrong_tool: [{ tool: 'bye', expected: 2, actual: 2, expected_tool: 'log' }],
        missing: [],
        extra: [],
      },
    }),
  );
  expect(rows?.map(({ state, expected, actual }) => [state, expected?.['tool'], actual?.['tool']])).toEqual([
    ['matched', 'find', 'find'],
    ['wrong_arguments', 'find', 'find'],
    ['wrong_tool', 'log', 'bye'],
  ]);
});

test('a record without an alignment is shown as it is', () => {
  expect(alignCalls(assertion({ expected: { max_calls: 0 }, actual: [], details: {} }))).toBeUndefined();
});
