import { expect, test } from 'vitest';
import type { AttemptRecord } from '../model/record.ts';
import { testHash } from '../model/test-numbers.ts';
import { FailureClaims } from './failure-claims.ts';
import { OutcomeLog } from './outcome-log.ts';

const base = { file: 'a.jsonl', line: 1, column: 1, retries: 0, duration_ms: 0.5, started_at: '2026-01-01' };
const record = (fields: Partial<AttemptRecord>) => ({ ...base, ...fields }) as AttemptRecord;
const problem = { file: 'a.jsonl', line: 1, column: 1, name: 'contains', message: 'lone \ud83d' };
const failure = (text: string) => ({ problem, problems: [problem], cause: 'c', text, transcript: '' });

test('attempts of a test come together, no matter what comes between them', () => {
  const log = new OutcomeLog();
  const third = record({
    test: 'x',
    target: 't',
    repeat: 3,
    verdict: 'failed',
    score: 0.25,
    skip_reason: '',
  });
  const first = record({ test: 'x', target: 't', repeat: 1, verdict: 'failed', cost_usd: 0, line: 9 });
  const ofThird = log.add(third);
  log.add(record({ test: 'x', target: 'u', repeat: 1, verdict: 'passed', file: 'b.jsonl' }));
  log.add(record({ test: 'x', target: 't', repeat: 2, verdict: 'passed' }));
  const ofFirst = log.add(first);
  // Texts are ready in any order.
  log.addFailure(first, ofFirst, failure('of the first repeat'));
  log.addFailure(third, ofThird, failure('of the third repeat'));
  const tests = [...log.tests()];
  expect(tests.map(({ first: { target } }) => target).sort()).toEqual(['t', 'u']);
  const { first: said, attempts, failures } = tests.find(({ first: { target } }) => target === 't')!;
  expect(said).toMatchObject({ file: 'a.jsonl', line: 1, repeat: 3, skip_reason: '', arrival: 0 });
  expect(attempts).toEqual([
    { repeat: 1, verdict: 'failed', score: undefined, retries: 0, duration_ms: 0.5, cost_usd: 0 },
    { repeat: 2, verdict: 'passed', score: undefined, retries: 0, duration_ms: 0.5, cost_usd: undefined },
    { repeat: 3, verdict: 'failed', score: 0.25, retries: 0, duration_ms: 0.5, cost_usd: undefined },
  ]);
  expect(failures).toEqual({ failed: failure('of the first repeat') });
  log.close();
});

test('tests with the same hash stay apart', () => {
  const a = { file: 'a.jsonl', target: 't', test: 'ipex3mxq' };
  const b = { ...a, test: '1xl4xdj3s' };
  expect(testHash(a)).toBe(testHash(b));
  const log = new OutcomeLog();
  const failed = record({ ...b, repeat: 1, verdict: 'failed' });
  log.add(record({ ...a, repeat: 1, verdict: 'passed' }));
  log.addFailure(failed, log.add(failed), failure('of b'));
  log.add(record({ ...a, repeat: 2, verdict: 'passed' }));
  const tests = [...log.tests()];
  expect(
    tests.map(({ first, attempts, failures }) => [first.test, attempts.length, failures.failed?.text]),
  ).toEqual([
    [a.test, 2, undefined],
    [b.test, 1, 'of b'],
  ]);
  log.close();
});

test('the failure of an earlier repeat is wanted, that of a later one is not, and 500 are long', () => {
  const claims = new FailureClaims();
  const of = (name: string, repeat: number, verdict: AttemptRecord['verdict'] = 'failed') =>
    claims.take(record({ test: name, target: 't', repeat, verdict }));
  expect([of('x', 2), of('x', 3), of('x', 2), of('x', 1), of('x', 5, 'error')]).toEqual([
    'long',
    undefined,
    undefined,
    'long',
    'long',
  ]);
  for (let number = 3; number < 500; number++) expect(of(`${number}`, 1)).toBe('long');
  expect([of('y', 1), of('x', 3)]).toEqual(['short', 'short']);
});
