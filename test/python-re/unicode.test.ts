import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile, PatternError, search } from '../../src/base/match/python-re/index.ts';

interface UnicodeFixture {
  readonly sets: Readonly<Record<string, readonly (readonly [number, number])[]>>;
  readonly case_pairs: readonly (readonly [number, number, 0 | 1])[];
  readonly case_backref: readonly (0 | 1)[];
}

const fixture = JSON.parse(
  readFileSync(new URL('../fixtures/python-re/python-re-unicode.json', import.meta.url), 'utf8'),
) as UnicodeFixture;

const LAST_CODE_POINT = 0x10ffff;
const LAST_SPACE = 0x3000;

describe('character categories of Unicode 14', () => {
  it.each([
    ['w', String.raw`\w`],
    ['d', String.raw`\d`],
    ['s', String.raw`\s`],
    ['not_dot', String.raw`[^\s\S]|\n`],
  ])('%s', (name, pattern) => {
    expect(rangesOf(pattern)).toEqual(fixture.sets[name]);
  });

  it('verbose mode skips ASCII whitespace only', () => {
    const skipped: number[] = [];
    for (let codePoint = 0; codePoint <= LAST_SPACE; codePoint += 1) {
      if (isSkipped(String.fromCodePoint(codePoint))) skipped.push(codePoint);
    }
    expect(toRanges(skipped)).toEqual(fixture.sets['verbose_ws']);
  });
});

describe('case', () => {
  it('is ignored for the same pairs of characters', () => {
    const wrong = fixture.case_pairs.filter(
      ([one, other, fits]) =>
        (search(`(?i)${escape(one)}`, String.fromCodePoint(other)) !== null) !== (fits === 1),
    );
    expect(wrong).toEqual([]);
  });

  it('is ignored by references for the same pairs of characters', () => {
    const pattern = compile(String.raw`(?is)(.)\1`);
    const wrong = fixture.case_pairs.filter(([one, other], index) => {
      const found = search(pattern, String.fromCodePoint(one, other)) !== null;
      return found !== (fixture.case_backref[index] === 1);
    });
    expect(wrong).toEqual([]);
  });
});

function rangesOf(pattern: string): [number, number][] {
  const compiled = compile(pattern);
  const members: number[] = [];
  for (let codePoint = 0; codePoint <= LAST_CODE_POINT; codePoint += 1) {
    if (search(compiled, String.fromCodePoint(codePoint)) !== null) members.push(codePoint);
  }
  return toRanges(members);
}

function toRanges(members: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const member of members) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === member - 1) last[1] = member;
    else ranges.push([member, member]);
  }
  return ranges;
}

/** A skipped character leaves a pattern for "Q"; so does a caret, for another reason. */
function isSkipped(character: string): boolean {
  if (character === '^') return false;
  try {
    return search(`(?x)${character}Q`, 'Q')?.end === 1;
  } catch (error) {
    expect(error).toBeInstanceOf(PatternError);
    return false;
  }
}

function escape(codePoint: number): string {
  return `\\U${codePoint.toString(16).padStart(8, '0')}`;
}
