import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { hashFile } from '../../base/files/hash-file.ts';
import { nothingFound } from './nothing-found.ts';
import { nothingRan, someOf, unsealedRecords } from './run-findings.ts';

test.each([0, 1, 2, 256 * 1024, 256 * 1024 + 1, 700_000])('a file of %d bytes', (length) => {
  const bytes = Buffer.alloc(length, 'abc');
  const file = join(createTempFolder({ a: bytes }), 'a');
  expect(hashFile(file)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('the error names where nothing was found', () => {
  expect(nothingFound([])).toMatchObject({ file: '.', severity: 'error' });
  expect(nothingFound(['a', 'b'])).toMatchObject({ file: 'a b' });
  const ran = (tests: number, skipped: number) => nothingRan([], { tests, skipped } as never).message;
  expect(ran(2, 2)).toContain('skipped');
  expect(ran(2, 1)).not.toContain('skipped');
  expect(ran(0, 0)).not.toContain('skipped');
  expect(nothingRan(['a', 'b'], { tests: 0, skipped: 0 } as never).file).toBe('a b');
});

test('only the first five of many names are listed', () => {
  expect(someOf(['a', 'b'])).toBe('a, b');
  expect(someOf(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c, d, e');
  expect(someOf(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more');
  expect(unsealedRecords('f', 1).message).toMatch(/^1 record has /);
  expect(unsealedRecords('f', 2).message).toMatch(/^2 records have /);
});
