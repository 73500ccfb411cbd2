import { expect, test } from 'vitest';
import { searchOutcome } from './search-outcome.ts';

test('the outcome says whether a pattern was found, was not found, or could not be searched for', () => {
  const search = (found: unknown) =>
    searchOutcome('a+', 'baa', {
      what: 'the output',
      find: () => {
        if (found instanceof Error) throw found;
        return found;
      },
    });
  expect(search({})).toEqual({
    score: 1,
    message: expect.stringMatching(/ is found in the output/) as string,
    expected: 'a+',
    actual: 'baa',
  });
  expect(search(null)).toMatchObject({ score: 0, expected: 'a+', actual: 'baa' });
  expect(search(new Error('too slow'))).toMatchObject({
    error: { kind: 'assertion', message: expect.stringContaining('too slow') as string },
  });
});
