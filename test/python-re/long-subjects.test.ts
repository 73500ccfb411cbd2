import { describe, expect, it } from 'vitest';
import { BudgetError, search } from '../../src/base/match/python-re/index.ts';

const SENTENCE = 'The quick brown fox jumps over the lazy dog and asks for an order id, then waits. ';
const LINE = SENTENCE.repeat(1250);
const LINES = LINE.replaceAll('. ', '.\n');

/** Patterns as people write them for the answers of agents, on answers of 100 kB that do not hold them. */
const WITHOUT_MATCH: [pattern: string, subject: string][] = [
  ['(?i).*berlin.*', LINE],
  ['(?i).*berlin.*', LINE.slice(0, 8000)],
  ['(?i)(.*)berlin', LINES],
  ['(?i).+?berlin', LINE],
  ['(?i)(?:.*berlin|.*paris)', LINE],
  ['.*berlin|.*[P-R]aris', LINE],
  ['.*order.*berlin', LINE],
  ['(?i).*order.*id.*berlin', LINE],
  ['(?i)order.*berlin', LINE],
  ['(?i)a.*b.*c.*q!', LINE],
  [String.raw`[\s\S]*[XY]oo`, LINE],
  [String.raw`(?i)[\s\S]*xfoo`, LINE],
  ['(?si).*xfoo', LINES],
  [String.raw`\s*foo\s*$`, `foo${' '.repeat(50_000)}x`],
  [String.raw`\s+$`, `${' '.repeat(100_000)}x`],
  [String.raw`\w+@\w+`, `@${'a'.repeat(100_000)}`],
  [String.raw`\S+@\S+\.\S+`, 'a@'.repeat(50_000)],
  ['(a|b)*[cd]', 'ab'.repeat(50_000)],
  ['(?i)(a|b)*c', 'ab'.repeat(50_000)],
  [String.raw`(?:\w+\s+)+[?!]`, `! ${SENTENCE.replaceAll(/[,.]/g, '').repeat(100)}`],
  ['a.*?[xy]', 'a'.repeat(100_000)],
  [String.raw`\{[\s\S]*"answer"[\s\S]*\}`, '{"a":1}'.repeat(14_000)],
];

describe('a subject of 100 kB without a match', () => {
  it.each(WITHOUT_MATCH)('is searched to the end: %s', (pattern, subject) => {
    expect(search(pattern, subject)).toBeNull();
  });
});

/** Where the search must not skip what it skips after `.*`. CPython 3.11.7 finds these. */
const FOUND: [pattern: string, subject: string, start: number, end: number][] = [
  ['.*b', 'aa\nab', 3, 5],
  ['.*b', 'aa\nxab\nab', 3, 6],
  ['(?s).*b', 'aa\nab', 0, 5],
  ['(?:.*x|b)', 'aab', 2, 3],
  ['(?:a*|b*)c', 'abbc', 1, 4],
  [String.raw`(.*)-\1$`, 'xab-ab', 1, 6],
  [String.raw`(a*)b\1$`, 'aaba', 1, 4],
  ['(a)*(?(1)x|b)', 'aab', 2, 3],
  ['(?:.*b)*a$', 'bca', 2, 3],
  ['(?>.*?b)c', 'abbc', 2, 4],
  [String.raw`\b.*b`, 'é ab', 0, 4],
  ['.{1,2}b', 'aaab', 1, 4],
  ['(?i:A*)b', 'aab', 0, 3],
  ['(?i).*É', 'xé', 0, 2],
  ['(?i)k', '\u212a', 0, 1],
  ['(?i)straſſe', 'STRASSE', 0, 7],
  ['a.*b.*a', 'xabba', 1, 5],
  ['(?:ab)+.*(?:ab){2}', 'ababab', 0, 6],
];

it.each(FOUND)('%s in %j begins at %d and ends at %d', (pattern, subject, start, end) => {
  expect(search(pattern, subject)).toMatchObject({ start, end });
});

it('text that a lazy repeat reads in vain counts as work', () => {
  const subject = `${'a'.repeat(5000)}\nxz`;
  expect(() => search('a.*?[xy]z', subject, { stepBudget: 20_000 })).toThrow(BudgetError);
});
