import { describe, expect, it } from 'vitest';
import { BudgetError, compile, PatternError, search } from '../../src/base/match/python-re/index.ts';

describe('a search that backtracks without end', () => {
  it.each([
    ['(a+)+$', `${'a'.repeat(60)}b`],
    ['(a|aa)+$', `${'a'.repeat(60)}b`],
    ['(.*)*$x|(.*)*y', 'a'.repeat(60)],
    ['(a|a)*(?:b|cc)', 'a'.repeat(60)],
    ['(x+x+)+(?:y|zz)', 'x'.repeat(60)],
    ['(?=(?:a|aa)+$)a', `${'a'.repeat(60)}c`],
    ['(?!(?=(?!(a|aa)+$))b)a', `${'a'.repeat(60)}c`],
    [String.raw`(a*)(a*)(a*)(a*)\1\2\3\4(?:x|yy)`, 'a'.repeat(120)],
    [String.raw`((a*)\2)*(?:x|yy)`, 'a'.repeat(120)],
    ['(?:){4294967294}', ''],
    ['(?>(a|aa)+$|b)', `${'a'.repeat(60)}c`],
  ])('is given up: %s', (pattern, subject) => {
    expect(() => search(pattern, subject, { stepBudget: 200_000 })).toThrow(BudgetError);
  });

  it('is given up by default too', () => {
    expect(() => search('(a|aa)+$', `${'a'.repeat(60)}b`)).toThrow(BudgetError);
  });

  it('leaves the next search unharmed', () => {
    expect(() => search('((a|aa)+)$', `${'a'.repeat(60)}b`, { stepBudget: 1000 })).toThrow(BudgetError);
    expect(search('(b)|(a)', 'xa')).toEqual({ start: 1, end: 2, groups: [null, [1, 2]] });
  });
});

describe('a subject of a megabyte', () => {
  const subject = 'ab'.repeat(1 << 19);
  const length = subject.length;

  it.each<[string, unknown]>([
    ['(?:a|b)*', { start: 0, end: length, groups: [] }],
    ['(?:ab|cd)*', { start: 0, end: length, groups: [] }],
    [
      '(?:(a)|(b))*',
      {
        start: 0,
        end: length,
        groups: [
          [length - 2, length - 1],
          [length - 1, length],
        ],
      },
    ],
    ['(?:(a)|b)*?$', { start: 0, end: length, groups: [[length - 2, length - 1]] }],
    ['(?:(a)b)*+', { start: 0, end: length, groups: [[length - 2, length - 1]] }],
    ['(?>(?=a)ab)*', { start: 0, end: length, groups: [] }],
    [String.raw`(?s).*\Z`, { start: 0, end: length, groups: [] }],
    ['zebra', null],
    ['.*z', null],
    ['(a|b)+z', null],
  ])('is searched for %s', (pattern, expected) => {
    expect(search(pattern, subject)).toEqual(expected);
  });
});

describe('code points', () => {
  it('count once, also those beyond the BMP', () => {
    expect(search('(😀).', '-😀😁-')).toEqual({ start: 1, end: 3, groups: [[1, 2]] });
    expect(search('b', '😀😀b')).toEqual({ start: 2, end: 3, groups: [] });
    expect(search('[^a]$', 'a😀')).toEqual({ start: 1, end: 2, groups: [] });
  });

  it('are lone surrogates only if the halves are unpaired', () => {
    expect(search('\ud83d', '😀')).toBeNull();
    expect(search(String.raw`\ud83d\ude00`, '😀')).toBeNull();
    expect(search('\ud83d', 'x\ud83dx')).toEqual({ start: 1, end: 2, groups: [] });
    expect(search('[\ud800-\udfff]', '😀\ude00')).toEqual({ start: 1, end: 2, groups: [] });
    expect(search('.', '\ude00\ud83d')).toEqual({ start: 0, end: 1, groups: [] });
  });
});

describe('a large pattern', () => {
  it('is refused if it nests too deep, as in Python', () => {
    expect(search(nested(400), 'a')?.groups).toHaveLength(400);
    expect(() => compile(nested(5000))).toThrow(PatternError);
    expect(() => compile('('.repeat(100_000))).toThrow(PatternError);
    expect(() => compile('(?:'.repeat(5000) + ')*'.repeat(5000))).toThrow('maximum recursion depth exceeded');
  });

  it('works even if it is long', () => {
    const words = Array.from({ length: 5000 }, (_, index) => `word${index}`);
    expect(search(words.join('|'), 'the word4999')).toEqual({ start: 4, end: 9, groups: [] });
    expect(search(`^(?:${words.join('|')})$`, 'word4999')).toEqual({ start: 0, end: 8, groups: [] });
    expect(search('a'.repeat(100_000), 'a'.repeat(100_001))?.end).toBe(100_000);
    expect(search('(a)?'.repeat(2000), 'a'.repeat(10))?.groups.filter((span) => span !== null)).toHaveLength(
      10,
    );
    expect(search('(?:a|b)'.repeat(2000), 'ab'.repeat(1000))?.end).toBe(2000);
  });
});

describe('flags given separately', () => {
  it('apply to the whole pattern', () => {
    expect(search(compile('a b|c', 'ix'), 'AB')).toEqual({ start: 0, end: 2, groups: [] });
    expect(search(compile('^b.c', 'ms'), 'a\nb\nc')).toEqual({ start: 2, end: 5, groups: [] });
    expect(search(compile(String.raw`\w`, 'a'), 'é')).toBeNull();
    expect(() => compile('a', 'q')).toThrow(PatternError);
  });
});

describe('errors', () => {
  it('give the position, with line and column if there are several lines', () => {
    const error = errorOf('a\n(b\n**)');
    expect(error.message).toBe('multiple repeat at position 6 (line 3, column 2)');
    expect(error.position).toBe(6);
  });

  it('give no position if Python gives none', () => {
    expect(errorOf('(?<=a*)b')).toMatchObject({
      message: 'look-behind requires fixed-width pattern',
      position: undefined,
    });
    expect(errorOf('a{4294967295}').message).toBe('the repetition number is too large');
    expect(errorOf('(?a)(?u)x').message).toBe('ASCII and UNICODE flags are incompatible');
  });
});

function nested(depth: number): string {
  return '('.repeat(depth) + 'a' + ')'.repeat(depth);
}

function errorOf(pattern: string): PatternError {
  try {
    compile(pattern);
  } catch (error) {
    if (error instanceof PatternError) return error;
  }
  throw new Error(`${pattern} was accepted`);
}
