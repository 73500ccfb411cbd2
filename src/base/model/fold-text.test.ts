import { expect, test } from 'vitest';
import * as fc from '../../../test/seeded-fast-check.ts';
import { findFolded, foldText } from './fold-text.ts';
import { foldRecord, snippetOf } from './search-text.ts';
import type { AttemptRecord } from './record.ts';

test('case, Unicode forms and white space make no difference', () => {
  expect(foldText('Cafe\u0301  A\n\t b\u00a0C')).toBe('café a b c');
  expect(foldText('ΟΔΟΣ ΣΑΣ')).toBe(foldText('οδος σας'));
  expect(foldText('한')).toBe(foldText('\u1112\u1161\u11ab'));
});

test('a match is marked at its place in the original text', () => {
  const marked = (text: string, ...words: string[]): readonly string[] =>
    findFolded(text, words).map(([start, end]) => text.slice(start, end));
  expect(marked('A Cafe\u0301 and a CAFÉ', 'café')).toEqual(['Cafe\u0301', 'CAFÉ']);
  expect(marked('İstanbul\n\n  ist hier', 'hier')).toEqual(['hier']);
  expect(marked('one\n  two three', 'one two')).toEqual(['one\n  two']);
  expect(marked('abcabc', 'abc', 'bca')).toEqual(['abcabc']);
  expect(marked('nothing', 'x', ' ')).toEqual([]);
});

test('any part of any text is found, and the marked text folds to the search word', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'B', ' ', '\n', 'é', 'e\u0301', 'İ', 'Σ', 'ß', '😀', '한', '\u1112\u1161'),
  });
  fc.assert(
    fc.property(text, fc.nat(), fc.nat(), (whole, a, b) => {
      const folded = foldText(whole);
      expect(foldText(folded)).toBe(folded);
      const [start, end] = [a % (folded.length + 1), b % (folded.length + 1)].toSorted((x, y) => x - y) as [
        number,
        number,
      ];
      const word = folded.slice(start, end);
      const ranges = findFolded(whole, [word]);
      expect(ranges.length > 0).toBe(word.trim() !== '');
      for (const [from, to] of ranges) expect(foldText(whole.slice(from, to))).toContain(word);
    }),
  );
});

const record = (step: object): AttemptRecord =>
  ({ steps: [{ input: '', input_messages: [], memory_before: {}, assertions: [], ...step }] }) as never;

test('inputs, outputs and tool calls are searched as plain text, not as JSON', () => {
  const one = record({
    input: 'First\nline',
    input_messages: [{ role: 'user', content: [{ type: 'text', text: 'in parts' }, { type: 'image' }] }],
    output: 'He said "yes" to the caf\u00e9',
    tool_calls: [{ tool: 'look_up', input: { name: 'Ada "A" L.\nsecond', n: [1, 2.5] }, output: 'C:\\temp' }],
    output_messages: [{ role: 'assistant', content: 'thinking aloud' }],
    memory: { hidden: 'in memory' },
    assertions: [{ message: 'judge text' }],
  });
  const text = foldRecord(one);
  for (const word of [
    'first line',
    'in parts',
    'said "yes"',
    'café',
    'look_up',
    'ada "a" l. second',
    '"n": [ 1, 2.5 ]',
    'c:\\temp',
    'thinking',
  ])
    expect(text).toContain(foldText(word));
  for (const word of ['in memory', 'judge text', 'input_messages', 'role', 'line he'])
    expect(text).not.toContain(word);
  expect(snippetOf(one, ['second', 'ada'])).toEqual({
    where: 'Arguments of look_up',
    text: '{ "name": "Ada "A" L. second", "n": [ 1, 2.5 ] }',
    marks: [
      [11, 14],
      [22, 28],
    ],
  });
  expect(snippetOf(one, ['nowhere'])).toBeUndefined();
  const long = snippetOf(record({ output: `${'word '.repeat(1000)}needle${' more'.repeat(1000)}` }), [
    'NEEDLE',
  ])!;
  expect(long.text.length).toBeLessThan(210);
  expect(long.marks.map(([start, end]) => long.text.slice(start, end))).toEqual(['needle']);
});
