import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { JournalTail } from '../../src/runs/journal/journal-tail.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

const read = (tail: JournalTail): readonly [string, number][] | undefined =>
  tail.read()?.map(({ bytes, offset }) => [bytes.toString(), offset]);

test('complete lines come with their offsets, and an incomplete line comes once it is complete', () => {
  const path = join(createTempFolder(), 'results.jsonl');
  const tail = new JournalTail(path);
  expect(tail.read()).toBeUndefined();
  writeFileSync(path, 'one\ntwo\nthr');
  expect(read(tail)).toEqual([
    ['one', 0],
    ['two', 4],
  ]);
  appendFileSync(path, 'ee\n\nfour\n');
  expect(read(tail)).toEqual([
    ['three', 8],
    ['', 14],
    ['four', 15],
  ]);
  expect(tail.read()).toBeUndefined();
});

test('an incomplete line that is cut off and rewritten is read again', () => {
  const path = join(createTempFolder(), 'results.jsonl');
  writeFileSync(path, 'one\nhalf');
  const tail = new JournalTail(path);
  expect(read(tail)).toEqual([['one', 0]]);
  expect(tail.read()).toBeUndefined();
  truncateSync(path, 4);
  expect(tail.read()).toBeUndefined();
  appendFileSync(path, 'whole\n');
  expect(read(tail)).toEqual([['whole', 4]]);
});

test('a line longer than one read is one line', () => {
  const path = join(createTempFolder(), 'results.jsonl');
  const long = 'x'.repeat(2_500_000);
  writeFileSync(path, `${long}\nlast\n`);
  const tail = new JournalTail(path);
  const lines: (readonly [string, number])[] = [];
  for (let piece = read(tail); piece !== undefined; piece = read(tail)) lines.push(...piece);
  expect(lines.map(([text, offset]) => [text.length, offset])).toEqual([
    [2_500_000, 0],
    [4, 2_500_001],
  ]);
});

test('a journal that cannot be read is an error', () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'results.jsonl'));
  expect(() => new JournalTail(join(folder, 'results.jsonl')).read()).toThrow('EISDIR');
});
