import { describe, expect, it } from 'vitest';
import { CostlyPatternError, searchJs } from '../../src/base/match/search-js.ts';

describe('a JavaScript pattern', () => {
  it.each([
    ['(a+)+$', '', `${'a'.repeat(60)}b`],
    ['(a|a)*b', '', 'a'.repeat(60)],
    ['(?:a{1,20}){1,20}b', '', 'a'.repeat(60)],
    [`${'a?'.repeat(40)}${'a'.repeat(40)}b`, '', 'a'.repeat(120)],
    ['x*x*x*x*y', '', 'x'.repeat(20_000)],
    [String.raw`[\q{a|aa}]+b`, 'v', 'a'.repeat(90)],
  ])('that does not end is stopped: %s', (pattern, flags, subject) => {
    expect(() => searchJs(pattern, flags)(subject)).toThrow(CostlyPatternError);
  });

  it.each([
    ['order', ''],
    [String.raw`\d+`, ''],
    [String.raw`\d{4}-\d{2}-\d{2}`, ''],
    [String.raw`[a-z0-9]+@[a-z0-9]+\.com`, 'i'],
    ['(foo|bar)+!', ''],
    [String.raw`^\s*total: (\d+),`, 'm'],
    ['"id": "[^"]*"', ''],
    [String.raw`\p{L}+`, 'u'],
    ['[[a-z]--[aeiou]]+', 'v'],
    [String.raw`(?<word>a)\k<word>`, ''],
    ['a{,3}', ''],
    [String.raw`\u{61}`, 'u'],
    [String.raw`[\]()*+]`, ''],
  ])('of an ordinary kind is searched in a text of 5000 characters: %s', (pattern, flags) => {
    expect(() => searchJs(pattern, flags)('lorem ipsum '.repeat(420))).not.toThrow();
  });

  it('of any kind is searched in a short text', () => {
    expect(searchJs('(a+)+$', '')('aaaa!')).toBe(false);
    expect(searchJs('^(a|b|ab)*c', '')('ababc')).toBe(true);
  });
});
