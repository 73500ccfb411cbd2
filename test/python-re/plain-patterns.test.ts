import { expect, it } from 'vitest';
import { search } from '../../src/base/match/python-re/index.ts';
import { searchPlain } from '../../src/base/match/python-re/matcher/search-plain.ts';
import { type Match, searchProgram } from '../../src/base/match/python-re/matcher/search-program.ts';
import { parsePattern } from '../../src/base/match/python-re/parser/parse-pattern.ts';
import { readPlainPattern } from '../../src/base/match/python-re/parser/plain-pattern.ts';
import { compileProgram } from '../../src/base/match/python-re/program/compile-program.ts';
import { effort } from '../effort.ts';
import * as fc from '../seeded-fast-check.ts';

const pieces = (maxLength: number, all: readonly string[]) =>
  fc.array(fc.constantFrom(...all), { maxLength, size: 'max' }).map((parts) => parts.join(''));

const subject = pieces(16, [
  'a',
  'b',
  'ab',
  'ba',
  '\n',
  '\r',
  '.',
  '*',
  '\\',
  '-',
  '😀',
  '\ud83d',
  '\ude00',
  ' ',
]);

function searchWithProgram(pattern: string, text: string): Match | null {
  return searchProgram(compileProgram(parsePattern(pattern)), text, undefined);
}

it('plain search finds the same as the regex program', () => {
  const pattern = pieces(5, [
    'a',
    'b',
    'ab',
    '.*',
    '.*',
    String.raw`\.`,
    String.raw`\\`,
    String.raw`\*`,
    '-',
    '\r',
    ' ',
  ]);
  let found = 0;
  fc.assert(
    fc.property(pattern, subject, (source, text) => {
      const plain = readPlainPattern(source);
      fc.pre(plain !== undefined);
      const match = searchPlain(plain, text);
      if (match !== null) found++;
      expect(match).toEqual(searchWithProgram(source, text));
    }),
    { numRuns: 4000 },
  );
  expect(found).toBeGreaterThan(effort({ short: 125, long: 500 }));
});

it('only patterns without special meaning count as plain', () => {
  const pattern = pieces(5, [
    'a',
    '.',
    '*',
    '.*',
    '+',
    '?',
    '\\',
    '{',
    '}',
    '1',
    '^',
    '$',
    '(',
    ')',
    '[',
    ']',
    '|',
    'd',
    '\n',
    '😀',
    '\ud83d',
    '#',
  ]);
  fc.assert(
    fc.property(pattern, subject, (source, text) => {
      const plain = readPlainPattern(source);
      fc.pre(plain !== undefined);
      expect(searchPlain(plain, text)).toEqual(searchWithProgram(source, text));
    }),
    { numRuns: 4000, maxSkipsPerRun: 1000 },
  );
});

it.each([
  ['.*Berlin.*', 'from\nBonn to Berlin, or Berlin\nBerlin', [5, 30]],
  ['.*Berlin', 'from\nBonn to Berlin, or Berlin now', [5, 30]],
  ['Berlin', 'Bonn to Berlin, or Berlin', [8, 14]],
  ['Bonn.*Berlin', 'Bonn\nBonn to Berlin, or Berlin now', [5, 30]],
  [String.raw`Berlin\.`, '😀 Berlin.', [2, 9]],
])('%s is plain', (pattern, text, [start, end]) => {
  expect(readPlainPattern(pattern)).toBeDefined();
  expect(search(pattern, text)).toEqual({ start, end, groups: [] });
});

it.each([
  '',
  '.*',
  'a.',
  'a*',
  String.raw`\.*`,
  String.raw`\d`,
  'a|b',
  '.*?a',
  '.**',
  'a\nb',
  '^a',
  '😀',
  '[a',
  'a{2}',
])('%j is not plain', (pattern) => {
  expect(readPlainPattern(pattern)).toBeUndefined();
});

it('a long text of many lines without a match is read in one pass', () => {
  const text = 'a b\n'.repeat(300_000);
  expect(search('a.*b.*c', `${text}c`)).toBeNull();
  expect(search('.*a.*c', `${text}a c`)).toEqual({ start: text.length, end: text.length + 3, groups: [] });
});
