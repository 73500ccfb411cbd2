import { describe, expect, it } from 'vitest';
import { compile } from '../../src/base/match/python-re/index.ts';

/** What CPython 3.11.7 says of `(a)(?(REFERENCE)b)`: its `int()` decides what is a number. */
const ACCEPTED = [
  '1',
  '01',
  '0_1',
  '+1',
  ' 1',
  '1 ',
  '	1\n',
  '\v1\f',
  '\r1',
  ' 1',
  '1　',
  '1',
  '1\xA0',
  '١',
  '٠١',
  '１',
  '𝟏',
  '+١',
];
const REFUSED = [
  '1',
  '1',
  '1',
  '1',
  '1',
  '1',
  '',
  '\xA01',
  '1 ',
  '-1',
  '+ 1',
  '++1',
  '1_',
  '0__1',
  '1.0',
  '1e0',
  '0x1',
  '1\0',
  '1',
  '1​',
  '﻿1',
  '¹',
  '①',
  '᠎1',
  '1١',
];

describe('the number of a group in a condition', () => {
  it.each(ACCEPTED)('may be %j', (reference) => {
    expect(compile(`(a)(?(${reference})b)`).groupCount).toBe(1);
  });

  it.each(REFUSED)('must not be %j', (reference) => {
    expect(() => compile(`(a)(?(${reference})b)`)).toThrow(/^bad character in group name .* at position 6$/);
  });

  it.each(['0', '00', '+0', '-0', '\u0660'])('must not be zero: %j', (reference) => {
    expect(() => compile(`(a)(?(${reference})b)`)).toThrow('bad group number at position 6');
  });
});

it.each(['(?P<\u001f>a)', '(?P<a\u001f>a)', '(?P<a b>a)', '(?P<1>a)'])(
  "such characters are refused in a group's name: %j",
  (pattern) => {
    expect(() => compile(pattern)).toThrow(/^bad character in group name .* at position 4$/);
  },
);

it.each(['(?P<a>x)(?P=\u001fa)', '(?P<a>x)(?P=1)', '(?P<a>x)(?P=a )'])(
  'such characters are refused in a reference to a group: %j',
  (pattern) => {
    expect(() => compile(pattern)).toThrow(/^bad character in group name .* at position 12$/);
  },
);
