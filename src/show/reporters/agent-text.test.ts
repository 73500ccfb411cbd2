import { expect, test } from 'vitest';
import type { AgentFailure } from './agent-failures.ts';
import { failureLines } from './agent-text.ts';

function failures(count: number, words: (index: number) => Partial<AgentFailure>): readonly AgentFailure[] {
  return Array.from({ length: count }, (_, index) => ({
    verdict: 'failed' as const,
    file: 'a.test.yaml',
    line: index + 1,
    test: `test-${index}`,
    problems: [
      { name: 'output.equals', message: 'differs', expected: `yes ${index}`, actual: 'no', same: 0 },
    ],
    hidden: 0,
    ...words(index),
  }));
}

const length = (lines: readonly string[]): number => lines.join('\n').length + 1;

test.each([1, 100, 1000])('%i failures never exceed the size limit, and none is lost silently', (count) => {
  const long = failures(count, (index) => ({
    file: `${'some/very/long/folder/'.repeat(6)}suite-${index}.test.yaml`,
    test: '\u001b[31m'.repeat(50) + index,
    problems: [
      {
        name: 'x'.repeat(500),
        message: '\u202e'.repeat(2000),
        expected: '😀'.repeat(900),
        actual: `${index}`,
        same: 0,
      },
    ],
  }));
  for (const max of [8000, 2000, 100, 0]) {
    const { lines, hidden } = failureLines(long, max);
    expect(lines.length === 0 || length(lines) <= max).toBe(true);
    const shown = lines.filter((line) => /^ \S*:\d|^some\/very.*:\d+ /.test(line)).length;
    expect(shown + hidden).toBe(count);
  }
});

test('each failure has two lines if there is room, otherwise one, with its place and both values', () => {
  expect(
    failureLines(
      failures(1, () => ({})),
      8000,
    ).lines,
  ).toEqual(['a.test.yaml:1 test-0', '  output.equals: expected "yes 0", got "no"']);
  const wide = failures(100, (index) => ({
    problems: [
      { name: 'output.equals', message: '', expected: `yes ${index}`, actual: 'n'.repeat(200), same: 0 },
    ],
  }));
  const { lines, hidden } = failureLines(wide, 8000);
  expect(hidden).toBe(0);
  expect(lines[99]).toMatch(/^a\.test\.yaml:100 test-99 output\.equals: expected "yes 99", got "n+…"$/);
});

test('tests that failed in the same way are reported once', () => {
  const same = failures(3, () => ({
    problems: [{ name: 'agent error', message: 'refused' }],
    verdict: 'error',
  }));
  expect(failureLines(same, 8000).lines).toEqual([
    '3 tests ERROR, all the same: agent error: refused',
    '  a.test.yaml:1 test-0',
    '  a.test.yaml:2 test-1',
    '  a.test.yaml:3 test-2',
  ]);
});

test('the common beginning of both values is left out', () => {
  const begun = 'The same beginning of a long text. '.repeat(8);
  const [failure] = failures(1, () => ({
    problems: [
      {
        name: 'output.equals',
        message: '',
        expected: `${begun}left`,
        actual: `${begun}right`,
        same: begun.length,
      },
    ],
  }));
  const { lines } = failureLines(
    failures(90, () => failure!).map((one, index) => ({ ...one, hidden: index })),
    8000,
  );
  expect(lines.join('\n')).toMatch(/expected "….{0,20}left", got "….{0,20}right"/);
});

test('with a hundred files in a deep folder, each failure keeps its place', () => {
  const folder = 'evals/customer-support/regressions/2026/autumn/refunds-and-returns';
  const deep = failures(100, (index) => ({
    file: `${folder}/suite-number-${index}.test.yaml`,
    test: `the customer asks for ${index}`,
    line: 4,
  }));
  const { lines, hidden } = failureLines(deep, 7500);
  expect(hidden).toBe(0);
  expect(lines[0]).toBe(`in ${folder}:`);
  for (let index = 0; index < 100; index++)
    expect(lines[index + 1]).toMatch(new RegExp(`^ suite-number-${index}\\.test\\.yaml:4 .*output\\.equals`));
  const alike = failureLines(
    deep.map((one) => ({ ...one, problems: [{ name: 'agent error', message: 'refused' }] })),
    7500,
  );
  expect(alike.hidden).toBe(0);
  for (let index = 0; index < 100; index++)
    expect(alike.lines.join('\n')).toContain(`suite-number-${index}.test.yaml:4`);
});

test('without room for every reason, the first failures have theirs, and the others their places', () => {
  for (const count of [300, 335, 340, 345, 350, 1000]) {
    const { lines, hidden } = failureLines(
      failures(count, () => ({ verdict: 'error' })),
      8000,
    );
    expect(length(lines)).toBeLessThanOrEqual(8000);
    expect(lines.slice(0, 2)).toEqual([
      'a.test.yaml:1 ERROR test-0',
      '  output.equals: expected "yes 0", got "no"',
    ]);
    expect(lines.filter((line) => /expected "yes \d+", got "no"/.test(line)).length).toBeGreaterThan(5);
    expect(lines.filter((line) => /a\.test\.yaml:\d+/.test(line))).toHaveLength(count - hidden);
  }
});

test('a block of many that does not fit is shown in part', () => {
  const many = failures(500, (index) => ({
    file: `${'long/'.repeat(20)}${index}/a.test.yaml`,
    problems: [{ name: 'agent error', message: 'refused' }],
  }));
  const { lines, hidden } = failureLines(many, 4000);
  expect(length(lines)).toBeLessThanOrEqual(4000);
  expect(hidden).toBeLessThan(500);
  expect(lines.filter((line) => /a\.test\.yaml:\d+$/.test(line))).toHaveLength(500 - hidden);
});

test('with several targets, each failure names its target, and a test counts once', () => {
  const [one] = failures(1, () => ({}));
  const other = { problems: [{ name: 'output.equals', message: 'x' }] };
  expect(
    failureLines(
      [
        { ...one!, target: 'a' },
        { ...one!, ...other, target: 'b' },
      ],
      8000,
    ).lines,
  ).toEqual([
    'a.test.yaml:1 test-0 [a]',
    '  output.equals: expected "yes 0", got "no"',
    'a.test.yaml:1 test-0 [b]',
    '  output.equals: x',
  ]);
  expect(
    failureLines(
      [
        { ...one!, target: 'a' },
        { ...one!, target: 'b' },
      ],
      8000,
    ).lines,
  ).toEqual([
    'one test, all the same: output.equals: expected "yes 0", got "no"',
    '  a.test.yaml:1 test-0 [a, b]',
  ]);
});
