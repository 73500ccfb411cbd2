import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { sealFile } from '../../src/runs/journal/checksum.ts';
import { inSequence, sequenceAgain, takeSequence } from '../../src/runs/journal/run-sequence.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

type Given = number | 'old' | 'damaged' | 'half' | 'unsealed' | 'missing';

/** Folders of runs, each with a `run.json` of a number, of a version without numbers, or one that cannot be believed. */
function runs(given: Readonly<Record<string, Given>>): readonly string[] {
  const root = createTempFolder();
  return Object.entries(given).map(([id, number]) => {
    const path = join(root, id);
    mkdirSync(path);
    const json = JSON.stringify({ run_id: id, sequence: typeof number === 'number' ? number : 7 }, null, 2);
    const texts: Record<string, string | undefined> = {
      old: JSON.stringify({ run_id: id }),
      damaged: sealFile(json).replace('"sequence": 7', '"sequence": 8'),
      half: sealFile(json).slice(0, 30),
      unsealed: `${json}\n`,
      missing: undefined,
    };
    const text = typeof number === 'number' ? sealFile(json) : texts[number];
    if (text !== undefined) writeFileSync(join(path, 'run.json'), text);
    return path;
  });
}

const names = (paths: readonly string[]): readonly string[] => paths.map((path) => basename(path));

test('the next number is one more than every number taken so far', () => {
  const folder = createTempFolder();
  expect(takeSequence(folder, [])).toBe(1);
  expect(takeSequence(folder, [])).toBe(2);
  expect(takeSequence(folder, runs({ a: 5, b: 3, c: 'old', d: 'damaged' }))).toBe(6);
  expect(takeSequence(folder, runs({ a: 5 }))).toBe(7);
  expect(readdirSync(folder).sort()).toEqual(['1', '2', '6', '7']);
});

test('names that are not numbers are ignored, and old numbers are removed', () => {
  const folder = createTempFolder({ '1': '', '2': '', '3': '', '101': '', a1: '', '1b': '' });
  expect(takeSequence(folder, [])).toBe(102);
  // 2 is a hundred below 102, so no process can be about to take it.
  expect(readdirSync(folder).sort()).toEqual(['101', '102', '1b', '3', 'a1']);
});

test('what is no run has no number', () => {
  const folder = createTempFolder({ '3': '' });
  const root = createTempFolder();
  symlinkSync('loop', join(root, 'loop'));
  expect(takeSequence(folder, [join(root, 'loop'), join(root, 'missing')])).toBe(4);
});

test('a folder that cannot be written to is an error', () => {
  expect(() => takeSequence(join(createTempFolder(), 'missing'), [])).toThrow('ENOENT');
});

test.each<[string, Readonly<Record<string, Given>>, readonly string[]]>([
  ['by number, however they are named', { c: 1, a: 2, b: 3 }, ['c', 'a', 'b']],
  ['runs without numbers first, by name', { z: 1, y: 'old', x: 'old' }, ['x', 'y', 'z']],
  ['a damaged one after the one before it by name', { a: 2, b: 'damaged', c: 1 }, ['c', 'a', 'b']],
  ['a damaged one that is the first by name', { a: 'damaged', b: 2, c: 1 }, ['a', 'c', 'b']],
  ['several damaged ones', { a: 2, b: 'damaged', c: 'half', d: 'missing', e: 1 }, ['e', 'a', 'b', 'c', 'd']],
  ['a number without a checksum cannot be believed', { a: 9, b: 'unsealed', c: 1 }, ['c', 'a', 'b']],
])('%s', (_, given, order) => {
  expect(names(inSequence(runs(given)))).toEqual(order);
  expect(names(inSequence(runs(given).toReversed()))).toEqual(order);
});

test.each<[string, Readonly<Record<string, Given>>, number]>([
  ['that of the run before it', { a: 3, lost: 'damaged', z: 4 }, 3],
  ['not that of another that lost its own', { a: 3, b: 'damaged', lost: 'half' }, 3],
  ['none when no run was before it', { lost: 'damaged', z: 4 }, 0],
  ['none when the run before it has none', { a: 'old', lost: 'damaged' }, 0],
])('a run that lost its number gets %s', (_, given, number) => {
  const paths = runs(given);
  expect(
    sequenceAgain(
      paths,
      paths.find((path) => path.endsWith('lost'))!,
    ),
  ).toBe(number);
});
