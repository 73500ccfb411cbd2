import { describe, expect, it } from 'vitest';
import { errorOf, measure, read } from './evidence.ts';

async function score(type: string, value: string | readonly string[], output: string): Promise<number> {
  return (await measure({ type, value }, { reply: { output } })).score;
}

describe('evaluators of text', () => {
  it.each([
    ['contains', 'lo w', 'hello world', 1],
    ['contains', 'LO', 'hello', 0],
    ['contains', '', '', 1],
    ['contains', '\ud83d', '😀', 0],
    ['contains', '\ude00', '😀', 0],
    ['contains', '😀', 'a😀b', 1],
    ['icontains', 'HELLO', 'say hello', 1],
    ['icontains', 'STRASSE', 'Hauptstraße 1', 1],
    ['icontains', 'ΟΔΟΣ', 'η οδος εδώ', 1],
    ['icontains', 'bye', 'hello', 0],
    ['icontains', '\ud83d', '😀', 0],
    ['contains_any', ['x', 'ell'], 'hello', 1],
    ['contains_any', ['x', 'y'], 'hello', 0],
    ['contains_all', ['he', 'lo'], 'hello', 1],
    ['contains_all', ['he', 'he'], 'hello', 1],
    ['contains_all', ['he', 'no'], 'hello', 0],
    ['starts_with', 'he', 'hello', 1],
    ['starts_with', 'lo', 'hello', 0],
    ['starts_with', '\ud83d', '😀', 0],
    ['starts_with', '😀', '😀!', 1],
    ['ends_with', 'lo', 'hello', 1],
    ['ends_with', 'he', 'hello', 0],
    ['ends_with', '\ude00', '😀', 0],
    ['ends_with', '', 'hello', 1],
    ['equals', 'hello', 'hello', 1],
    ['equals', 'hello', 'hello ', 0],
    ['equals', 'hello', 'Hello', 0],
    ['equals', 'e\u0301', '\u00e9', 0],
  ])('%s %j on %j scores %d', async (type, value, output, expected) => {
    expect(await score(type, value, output)).toBe(expected);
  });

  it('reports what was found and what was not', async () => {
    const outcome = await measure({ type: 'contains_all', value: ['a', 'z'] }, { reply: { output: 'abc' } });
    expect(outcome).toMatchObject({
      score: 0,
      message: 'expected ["a", "z"], got "abc"',
      expected: ['a', 'z'],
      actual: 'abc',
      hits: ['contains "a"'],
      misses: ['does not contain "z"'],
    });
  });
});

async function matches(
  value: string,
  output: string,
  more: Readonly<Record<string, string>> = {},
): Promise<number> {
  return (await measure({ type: 'regex', value, ...more }, { reply: { output } })).score;
}

describe('regex', () => {
  it('searches with Python patterns', async () => {
    expect(await matches(String.raw`order (?P<id>\d+)`, 'your order 42')).toBe(1);
    expect(await matches(String.raw`\Ahello\Z`, 'hello')).toBe(1);
    expect(await matches('hello$', 'hello\n')).toBe(1);
    expect(await matches('^world', 'hello\nworld')).toBe(0);
  });

  it.each([
    ['i', 'HELLO', 'hello', 1],
    ['m', '^world$', 'hello\nworld', 1],
    ['s', 'hello.world', 'hello\nworld', 1],
    ['x', 'h e l l o # a comment', 'hello', 1],
    ['a', String.raw`^\w+$`, 'é', 0],
    ['im', '^WORLD$', 'hello\nworld', 1],
    ['s', '(?i)HELLO.world', 'hello\nworld', 1],
  ])("supports Python's flag %s", async (flags, value, output, expected) => {
    expect(await matches(value, output, { flags })).toBe(expected);
  });

  it('refuses invalid flags and patterns when the file is read', () => {
    expect(() => read({ type: 'regex', value: 'a', flags: 'g' })).toThrow(
      'are not flags of a Python pattern',
    );
    expect(() => read({ type: 'regex', value: '(' })).toThrow("Python's re refuses this pattern");
    expect(() => read({ type: 'regex', value: '(', dialect: 'js' })).toThrow('Unterminated group');
    expect(() => read({ type: 'regex', value: 'a', dialect: 'js', flags: 'uv' })).toThrow('flags');
  });

  it('is an error if the search takes too long, in either dialect', async () => {
    const output = `${'a'.repeat(5000)}!`;
    expect(await errorOf({ type: 'regex', value: '(a+)+$' }, { reply: { output } })).toContain(
      'could not be matched',
    );
    expect(await errorOf({ type: 'regex', value: '(a+)+$', dialect: 'js' }, { reply: { output } })).toContain(
      'takes more than 200 ms',
    );
  });

  it('supports JavaScript patterns too', async () => {
    expect(await matches('hello$', 'hello\n', { dialect: 'js' })).toBe(0);
    expect(await matches('(?<a>l)\\k<a>', 'hello', { dialect: 'js' })).toBe(1);
    expect(await matches('HELLO', 'hello', { dialect: 'js', flags: 'i' })).toBe(1);
    expect(await matches('^.$', '😀', { dialect: 'js', flags: 'u' })).toBe(1);
    expect(await matches(String.raw`\d+-\d+-\d+`, `${'x'.repeat(20_000)}1-2-3`, { dialect: 'js' })).toBe(1);
    expect(await matches('[\\d--[5-7]]', '6', { dialect: 'js', flags: 'v' })).toBe(0);
  });
});
