import { expect, test } from 'vitest';
import { nameHidden, splitHidden, withoutHidden } from './hidden-characters.ts';

test('invisible characters are labelled in their place', () => {
  expect(splitHidden('user\u202Etxt.exe')).toEqual(['user', { code: 0x202e, count: 1 }, 'txt.exe']);
  expect(splitHidden('\u200b\u200b\u200ba')).toEqual([{ code: 0x200b, count: 3 }, 'a']);
  expect(splitHidden('\ud800')).toEqual([{ code: 0xd800, count: 1 }]);
  expect(splitHidden('a\u{e0041}\u{e0042}')).toEqual([
    'a',
    { code: 0xe0041, count: 1 },
    { code: 0xe0042, count: 1 },
  ]);
  expect(nameHidden(0x202e)).toBe('RLO');
  expect(nameHidden(0x85)).toBe('U+0085');
});

test('text of any script, emoji, tabs and line breaks stay unchanged', () => {
  for (const text of ['שלום عربى', '👩‍👩‍👧‍👦 \u{1f600}', 'a\tb\nc', 'line\r\nline', 'é e\u0301'])
    expect(splitHidden(text)).toEqual([text]);
  expect(splitHidden('over\rwritten')).toEqual(['over', { code: 0x0d, count: 1 }, 'written']);
  expect(withoutHidden('a\u202Eb')).toBe('a\ufffdb');
});
