import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { codeFrame } from './code-frame.ts';

const colors = picocolors.createColors(false);
const frame = (lines: string[], line: number, column: number, firstLine = 1) =>
  codeFrame({ firstLine, lines }, { line, column }, colors).split('\n');

test('the caret is as long as the word', () => {
  expect(frame(['input: hello'], 1, 8)).toEqual(['> 1 | input: hello', '    |        ^^^^^']);
  expect(frame(['a: [b]'], 1, 4)).toEqual(['> 1 | a: [b]', '    |    ^']);
});

test('numbers of different lengths stand below each other', () => {
  expect(frame(['a', 'b', 'c'], 10, 1, 9)).toEqual(['   9 | a', '> 10 | b', '     | ^', '  11 | c']);
});

test('a column behind the end of the line stands at its end', () => {
  expect(frame(['ab'], 1, 99)).toEqual(['> 1 | ab', '    |   ^']);
  expect(frame([''], 1, 1)).toEqual(['> 1 | ', '    | ^']);
});

test('long lines are cut, not inside a character', () => {
  const line = `${'😀'.repeat(200)}x${'😀'.repeat(200)}`;
  const [shown, caret] = frame([line], 1, 201);
  expect(shown).toMatch(/^> 1 \| …(?:😀)+x(?:😀)+…$/u);
  expect(caret!.trimEnd()).toMatch(/^ {4}\| +\^$/);
});

test('a very long line costs no memory of its length squared or spread', () => {
  expect(frame(['y'.repeat(50_000_000)], 1, 25_000_000)[0]!.length).toBeLessThan(120);
});

test('what a terminal would obey is shown', () => {
  expect(frame(['a\u001b[2J\tb'], 1, 7)[0]).toBe(String.raw`> 1 | a\x1b[2J→b`);
});

test('a place in a long line is found in any order of asking', () => {
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
