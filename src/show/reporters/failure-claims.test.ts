import { expect, test } from 'vitest';
import { attemptRecord } from '../../../test/attempt-record.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import { FailureClaims } from './failure-claims.ts';

test('the failure of an earlier repeat is wanted, that of a later one is not, and 500 are long', () => {
  const claims = new FailureClaims();
  const of = (name: string, repeat: number, verdict: AttemptRecord['verdict'] = 'failed') =>
    claims.take(attemptRecord({ test: name, repeat, verdict }));
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
