import { expect, test } from 'vitest';
import { attemptId, splitAttemptId, testKey, testOfFile } from './test-key.ts';

test('keys of tests and attempts match those of records', () => {
  const key = testKey({ file: 'a.test.yaml', test: 'books', target: 'python' });
  expect(key).toBe('a.test.yaml::books::python');
  expect(attemptId(key, 12)).toBe('a.test.yaml::books::python::12');
  expect(testOfFile('a.test.yaml', 'books')).toBe('a.test.yaml::books');
});

test('an attempt id is split at its last separator, since names may contain others', () => {
  const key = testKey({ file: 'a::b.yaml', test: '2::3', target: '::' });
  expect(splitAttemptId(attemptId(key, 7))).toEqual({ key, repeat: 7 });
});
