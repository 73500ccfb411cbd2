import { expect, test } from 'vitest';
import { assertionRecord, attemptRecord, stepRecord } from '../../../test/attempt-record.ts';
import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import { FailedTests } from './failed-tests.ts';

const equals = (passed: boolean, actual: string): AssertionRecord =>
  assertionRecord({
    kind: 'output.equals',
    name: 'output.equals',
    passed,
    score: passed ? 1 : 0,
    actual,
    expected: 'x',
  });

function failedOf(...records: readonly Partial<AttemptRecord>[]) {
  const failed = new FailedTests();
  for (const record of records) failed.onResult(attemptRecord(record));
  return failed.list();
}

/** An attempt of one step. */
const attempt = (
  verdict: AttemptRecord['verdict'],
  assertions: readonly AssertionRecord[],
  more: Partial<AttemptRecord> = {},
) => ({
  verdict,
  steps: [stepRecord({ assertions, tools_used: [], memory: { a: 1 } })],
  ...more,
});

test('the failed assertions of failed tests are listed, with their values', () => {
  const [one, ...others] = failedOf(
    attempt('failed', [equals(true, 'x'), equals(false, 'y')]),
    attempt('passed', [equals(true, 'x')], { test: 'fine' }),
    attempt('skipped', [], { test: 'left' }),
  );
  expect(others).toEqual([]);
  expect(one).toMatchObject({ file: 'a.test.yaml', line: 3, column: 5, test: 't', hasError: false });
  expect(one!.assertions).toMatchObject([
    {
      step: 0,
      result: { actual: 'y', passed: false },
      states: { at: 'value' },
      hasDisagreement: false,
      missing: [],
    },
  ]);
});

test('assertions of the whole test have no step, and kinds without a value have none', () => {
  const whole = assertionRecord({ form: 'evaluator', kind: 'contains', passed: false });
  const [one] = failedOf({
    verdict: 'failed',
    steps: [stepRecord(), stepRecord({ assertions: [equals(false, 'y')] })],
    assertions: [whole],
  });
  expect(one!.assertions.map(({ step, states }) => [step, states !== undefined])).toEqual([
    [1, true],
    [undefined, false],
  ]);
});

test('attempts that disagree about a value, or of which one passed, are marked', () => {
  const disagree = (...records: readonly Partial<AttemptRecord>[]) =>
    failedOf(...records)[0]!.assertions[0]!.hasDisagreement;
  const failed = (actual: string, repeat = 1) => attempt('failed', [equals(false, actual)], { repeat });
  expect(disagree(failed('y'), failed('y', 2))).toBe(false);
  expect(disagree(failed('y'), failed('z', 2))).toBe(true);
  expect(disagree(failed('y'), attempt('passed', [equals(true, 'x')], { repeat: 2 }))).toBe(true);
  expect(disagree(failed('y'), attempt('passed', [equals(true, 'x')], { test: 'other' }))).toBe(false);
});

test('an attempt that could not be measured is marked', () => {
  const error = { kind: 'timeout', message: '' } as const;
  expect(
    failedOf(attempt('failed', [equals(false, 'y')]), attempt('error', [], { repeat: 2, error })),
  ).toMatchObject([{ hasError: true, assertions: [{ result: { actual: 'y' } }] }]);
});

test("a value that any attempt's reply lacks is missing", () => {
  const missing = (...steps: readonly Parameters<typeof stepRecord>[0][]) =>
    failedOf(
      ...steps.map((step, index) => ({
        verdict: 'failed' as const,
        repeat: index + 1,
        steps: [stepRecord({ assertions: [equals(false, 'y')], ...step })],
      })),
    )[0]!.assertions[0]!.missing;
  expect(missing({})).toEqual(['tools_used', 'memory']);
  expect(missing({ tools_used: [], memory: {} })).toEqual(['memory']);
  expect(missing({ memory: { a: 1 } })).toEqual(['tools_used']);
  expect(missing({ tools_used: [], memory: { a: 1 } }, { tools_used: [] }, {})).toEqual([
    'memory',
    'tools_used',
  ]);
});

test('a test of the same name in another file is another test', () => {
  const failed = failedOf(
    attempt('failed', [equals(false, 'y')], { file: 'a.yaml' }),
    attempt('failed', [equals(false, 'z')], { file: 'b.yaml' }),
  );
  expect(failed.map(({ file, assertions }) => [file, assertions[0]!.result.actual])).toEqual([
    ['a.yaml', 'y'],
    ['b.yaml', 'z'],
  ]);
});
