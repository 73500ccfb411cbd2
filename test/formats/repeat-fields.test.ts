import { describe, expect, test } from 'vitest';
import { parseSuite } from '../../src/suites/load/parse-suite.ts';
import { CASE_FORMATS, COMPLETE, parseCase, summary } from './parse-case.ts';

describe.each(CASE_FORMATS)('an eval case in %s', (format) => {
  test.each([
    [{ repeats: 3 }, { repeats: 3, pass_at_least: undefined }],
    [{ pass_at_least: 0.8 }, { repeats: undefined, pass_at_least: 0.8 }],
    [{ pass_at_least: '8/10' }, { repeats: 10, pass_at_least: '8/10' }],
    [
      { pass_at_least: '8/10', repeats: 5 },
      { repeats: 5, pass_at_least: '8/10' },
    ],
    [{ pass_at_least: 1 }, { pass_at_least: 1 }],
  ])('%j', (fields, wanted) => {
    const { test: read, findings } = parseCase({ ...COMPLETE, ...fields }, format);
    expect(findings).toEqual([]);
    expect(read).toMatchObject(wanted);
  });

  test.each([
    [{ repeats: 0 }, 'error range repeats'],
    [{ repeats: 1.5 }, 'error range repeats'],
    [{ repeats: 'auto' }, 'error type repeats'],
    [{ pass_at_least: 8 }, 'error pass_at_least pass_at_least'],
    [{ pass_at_least: 0 }, 'error pass_at_least pass_at_least'],
    [{ pass_at_least: '0/10' }, 'error pass_at_least pass_at_least'],
    [{ pass_at_least: '11/10' }, 'error pass_at_least pass_at_least'],
    [{ pass_at_least: '80%' }, 'error pass_at_least pass_at_least'],
    [{ pass_at_least: true }, 'error pass_at_least pass_at_least'],
  ])('%j is %s', (fields, code) => {
    const { findings } = parseCase({ ...COMPLETE, ...fields }, format);
    expect(findings.map(summary)).toEqual([code]);
  });
});

test("the file's value applies to cases without their own", () => {
  const shared = { repeats: 4, pass_at_least: '1/2' };
  expect(parseCase(COMPLETE, 'yaml', shared).test).toMatchObject(shared);
  expect(parseCase({ ...COMPLETE, pass_at_least: '3/3' }, 'yaml', shared).test).toMatchObject({ repeats: 3 });
  expect(parseCase({ ...COMPLETE, pass_at_least: 0.9 }, 'yaml', shared).test).toMatchObject({ repeats: 4 });
});

test('a step test can have both, and YAML reads a fraction as text', () => {
  const text = 'repeats: 5\npass_at_least: 4/5\ninput: hi\nassert: { output.includes: hi }\n';
  const { suite, findings } = parseSuite({ path: 'a.test.yaml', text });
  expect(findings).toEqual([]);
  expect(suite?.tests[0]).toMatchObject({ repeats: 5, pass_at_least: '4/5' });
});
