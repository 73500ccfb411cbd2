import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { codeFrame } from './code-frame.ts';

const colors = picocolors.createColors(false);
const frame = (lines: string[], line: number, column: number, firstLine = 1) =>
  codeFrame({ firstLine, lines }, { line, column }, colors).split('\n');

const covered = (line: string, column: number): string => {
  const [, caret = ''] = frame([line], 1, column);
  return line.slice(caret.indexOf('^') - '> 1 | '.length, caret.lastIndexOf('^') + 1 - '> 1 | '.length);
};

test.each([
  ['input: hello', 8, 'hello'],
  ['output.includes: goodbye my friend  # soon', 18, 'goodbye my friend'],
  ['output.includes: goodbye my friend', 1, 'output.includes'],
  ['a key with spaces: 1', 1, 'a key with spaces'],
  ['equals: "a \\" b, c" # d', 9, '"a \\" b, c"'],
  ["equals: 'it''s # one'  ", 9, "'it''s # one'"],
  ["equals: it's one", 9, "it's one"],
  ['tools_used: [search, pay]', 13, '[search, pay]'],
  ['tools_used: [search, pay]', 22, 'pay'],
  ['assert: { output.includes: two words, b: 1 }', 28, 'two words'],
  ['assert: { output.includes: two words, b: 1 }', 11, 'output.includes'],
  ['  - { a: "}", b: [1, {c: 2}] } # x', 5, '{ a: "}", b: [1, {c: 2}] }'],
  ['{"input":"a, b","n":12}', 21, '12'],
  ['url: http://localhost:80/a', 6, 'http://localhost:80/a'],
  ['text: |', 7, '|'],
  ['  - input: boom', 1, 'input'],
  ['list: [a,', 7, '[a,'],
  ['text: "no end', 7, '"no end'],
])('the caret covers the whole value: %s at %i', (line, column, value) => {
  expect(covered(line, column)).toBe(value);
});

test('wide characters take two carets each', () => {
  expect(frame(['名: 日本'], 1, 4)).toEqual(['> 1 | 名: 日本', '    |     ^^^^']);
});

test('line numbers of different lengths are aligned', () => {
  expect(frame(['a', 'b', 'c'], 10, 1, 9)).toEqual(['   9 | a', '> 10 | b', '     | ^', '  11 | c']);
});

test('a column after the end of the line is shown at its end', () => {
  expect(frame(['ab'], 1, 99)).toEqual(['> 1 | ab', '    |   ^']);
  expect(frame([''], 1, 1)).toEqual(['> 1 | ', '    | ^']);
});

test('long lines are cut, but not inside a character', () => {
  const line = `${'😀'.repeat(200)}x${'😀'.repeat(200)}`;
  const [shown, caret] = frame([line], 1, 201);
  expect(shown).toMatch(/^> 1 \| …(?:😀)+x(?:😀)+…$/u);
  expect(caret!.trimEnd()).toMatch(/^ {4}\| +\^+$/);
});

test('a very long line takes no excessive memory', () => {
  expect(frame(['y'.repeat(50_000_000)], 1, 25_000_000)[0]!.length).toBeLessThan(120);
});

test('control characters are shown, not sent to the terminal', () => {
  expect(frame(['a\u001b[2J\tb'], 1, 7)[0]).toBe(String.raw`> 1 | a\x1b[2J→b`);
});

test('places in a long line are found in any order', () => {
  const line = 'é😀x'.repeat(200);
  const frameAt = (column: number): string =>
    codeFrame({ firstLine: 1, lines: [line] }, { line: 1, column }, colors);
  const columns = [500, 3, 599, 2, 2, 300, 301, 1, 600];
  const alone = columns.map((column) => {
    codeFrame({ firstLine: 1, lines: ['another line'] }, { line: 1, column: 4 }, colors);
    return frameAt(column);
  });
  expect(columns.map(frameAt)).toEqual(alone);
  expect(new Set(alone).size).toBe(8);
});
