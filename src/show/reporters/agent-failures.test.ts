import { expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { TestSummary } from '../../base/model/summary.ts';
import { AgentFailures } from './agent-failures.ts';

test('a test that is not kept counts once however often it runs, and not at all if it passes its gate', () => {
  const failures = new AgentFailures();
  for (let line = 1; line <= 1003; line++)
    for (const repeat of [1, 2, 3])
      failures.add(attemptRecord({ test: `t${line}`, line, repeat, verdict: 'failed' }));
  const passed = { file: 'a.test.yaml', test: 't1002', target: 'agent', verdict: 'passed' } as TestSummary;
  expect(failures.list([passed], ['a.test.yaml'])).toHaveLength(1000);
  expect(failures.leftOut([passed])).toBe(2);
  expect(failures.leftOut([])).toBe(3);
});

test('the order is that of the files, rows and targets, no matter which test finished first', () => {
  const failures = new AgentFailures();
  for (const target of ['b', 'a'])
    for (const column of [40, 20])
      failures.add(
        attemptRecord({
          test: `row-${column}`,
          target,
          row: { file: 'a.test.yaml', line: 4, column },
          verdict: 'failed',
        }),
      );
  const found = failures.list([], ['a.test.yaml']).map(({ test: name, target }) => `${name} ${target}`);
  expect(found).toEqual(['row-20 a', 'row-20 b', 'row-40 a', 'row-40 b']);
});
