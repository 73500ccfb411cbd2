import { expect, test } from 'vitest';
import type { Test } from '../model/test.ts';
import { durationWarning } from './duration-warning.ts';
import { memoryWarning } from './memory-warning.ts';

const at = { file: 'a.yaml', line: 1, column: 1 };
const ONE = { id: 't', steps: [{ assertions: [] }], assertions: [], tags: [], place: at } as unknown as Test;

/** A grader by which assertions of the step or of the test, in this order, look at the part or not. */
const reading = (...answers: readonly boolean[]) => {
  const left = [...answers];
  return { readsPart: () => left.shift() ?? false };
};

test.each([
  [undefined, 9000, true, false],
  [100, 1100, true, true],
  [100, 1099, true, false],
  [2000, 4000, true, true],
  [2000, 3999, true, false],
  [400, 800, true, false],
  [100, 5000, false, false],
])(
  'reported %d ms, measured %d ms, in a test that checks speed (%s): %s',
  (reportedMs, measuredMs, isTimed, isDoubted) => {
    const doubt = durationWarning(ONE, { reportedMs, measuredMs }, reading(isTimed));
    expect(doubt?.code).toBe(isDoubted ? 'duration_doubt' : undefined);
    if (isDoubted) expect(doubt?.message).toMatch(new RegExp(`${reportedMs} ms.* ${measuredMs} ms`));
  },
);

test('a step may check speed too', () => {
  const durations = { reportedMs: 1, measuredMs: 5000 };
  expect(durationWarning(ONE, durations, reading(false, true))?.code).toBe('duration_doubt');
  expect(durationWarning(ONE, durations, reading(false, false))).toBeUndefined();
});

test('missing memory matters only if there was some before or an assertion reads it', () => {
  const doubt = (before: object, after: object | undefined, isRead: boolean) =>
    memoryWarning(ONE, { before: before as never, after: after as never }, reading(isRead))?.code;
  expect(doubt({ a: 1 }, undefined, false)).toBe('no_memory');
  expect(doubt({}, undefined, true)).toBe('no_memory');
  expect(doubt({}, undefined, false)).toBeUndefined();
  expect(doubt({ a: 1 }, {}, true)).toBeUndefined();
});
