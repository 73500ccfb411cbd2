import * as fc from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import { displayWidth, escapeForTerminal, escapeLine } from './terminal-text.ts';

test('control characters, bidi controls and lone surrogates become visible', () => {
  expect(escapeForTerminal('a\u001b[2J\u0000\u007f\u009b')).toBe(String.raw`a\x1b[2J\x00\x7f\x9b`);
  expect(escapeForTerminal('\u202e\u2066\ufeff\ud800')).toBe(String.raw`\u{202e}\u{2066}\u{feff}\u{d800}`);
  expect(escapeForTerminal('é 日本 😀\t\n')).toBe('é 日本 😀\t\n');
});

test('a line stays one line and gives no command to a CI system', () => {
  expect(escapeLine('a\nb\tc')).toBe(String.raw`a\nb\tc`);
  expect(escapeLine('::error::x')).toBe(String.raw`\x3a:error::x`);
  expect(escapeLine('  ::error::x')).toBe(String.raw`  \x3a:error::x`);
  expect(escapeLine('a::b')).toBe('a::b');
  expect(escapeLine('x ##[error]y')).toBe(String.raw`x #\x23[error]y`);
});

test('nothing unsafe is left in any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = escapeLine(text);
      expect(line).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]|\p{Surrogate}/u);
      expect(line).not.toMatch(/^\s*::/);
    }),
  );
});

test('the width of a text counts wide characters twice', () => {
  expect(displayWidth('abc')).toBe(3);
  expect(displayWidth('日本😀')).toBe(6);
  expect(displayWidth('e\u0301')).toBe(1);
});
