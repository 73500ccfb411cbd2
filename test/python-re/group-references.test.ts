import { describe, expect, it } from 'vitest';
import { compile } from '../../src/match/python-re/index.ts';

/** What CPython 3.11.7 says of `(a)(?(REFERENCE)b)`: its `int()` decides what is a number. */
const ACCEPTED = [
  ...['1', '01', '0_1', '+1', ' 1', '1 ', '\t1\n', '\u000b1\u000c', '\r1'],
  // Spaces and digits outside of ASCII count, in a text that has any.
  ...['\u20031', '1\u3000', '\u00851', '1\u00a0', '\u0661', '\u0660\u0661', '\uff11', '\u{1d7cf}', '+\u0661'],
];
const REFUSED = [
  ...[
    '\u001c1',
    '\u001d1',
    '\u001e1',
    '\u001f1',
    '1\u001c',
    '1\u001f',
    '\u001f',
    '\u00a0\u001f1',
    '1\u001c\u2003',
  ],
  ...[
    '-1',
    '+ 1',
    '++1',
    '1_',
    '0__1',
    '1.0',
    '1e0',
    '0x1',
    '1\u0000',
    '\u007f1',
    '1\u200b',
    '\ufeff1',
  ],
  ...['\u00b9', '\u2460', '\u180e1', '1\u001f\u0661'],
];

describe('the number of a group in a condition', () => {
  it.each(ACCEPTED)('is %j', (reference) => {
    expect(compile(`(a)(?(${reference})b)`).groupCount).toBe(1);
  });

  it.each(REFUSED)('is not %j', (reference) => {
    expect(() => compile(`(a)(?(${reference})b)`)).toThrow(/^bad character in group name .* at position 6$/);
  });

  it.each(['0', '00', '+0', '-0', '\u0660'])('is not zero: %j', (reference) => {
    expect(() => compile(`(a)(?(${reference})b)`)).toThrow('bad group number at position 6');
  });
});

it.each(['(?P<\u001f>a)', '(?P<a\u001f>a)', '(?P<a b>a)', '(?P<1>a)'])(
  'no such character stands in the name of a group: %j',
  (pattern) => {
    expect(() => compile(pattern)).toThrow(/^bad character in group name .* at position 4$/);
  },
);

it.each(['(?P<a>x)(?P=\u001fa)', '(?P<a>x)(?P=1)', '(?P<a>x)(?P=a )'])(
  'nor where a group is named again: %j',
  (pattern) => {
    expect(() => compile(pattern)).toThrow(/^bad character in group name .* at position 12$/);
  },
);
