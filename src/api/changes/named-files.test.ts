import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { DataPrint } from '../../load/code/data-print.ts';
import { identityOf, NamedFiles } from './named-files.ts';

let root = '';
let cache = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-named-'));
  cache = join(root, '.assay/cache/named-files');
});
afterEach(() => rmSync(root, { recursive: true }));

function printOf(hash: string): DataPrint {
  return new Map([['prompt.md', { hash, place: 'prompt.md', isWritten: false }]]);
}

test('a round that was killed does not go on because a new process has its number', () => {
  writeFileSync(join(root, 'prompt.md'), 'two');
  mkdirSync(cache, { recursive: true });
  const before = printOf('1');
  writeFileSync(
    join(cache, `${identityOf(before)}.json`),
    JSON.stringify({ 'prompt.md': ['1', 'prompt.md'] }),
  );
  const killed = { rounds: [{ started: 0, pid: process.pid }], changing: ['prompt.md'] };
  writeFileSync(join(cache, 'rounds.json'), JSON.stringify(killed));
  const found = new NamedFiles(root).changesSince(identityOf(before), printOf('2'));
  expect(found).toEqual({ edited: ['prompt.md'], output: [], unsure: [] });
});

test('nothing is written or removed through a link out of the project', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  for (let index = 0; index < 510; index++) {
    const name = `${index.toString(16).padStart(16, '0')}.json`;
    writeFileSync(join(elsewhere, name), '');
  }
  mkdirSync(join(root, '.assay/cache'), { recursive: true });
  symlinkSync(elsewhere, cache);
  new NamedFiles(root).begin([printOf('1')]).ended();
  expect(readdirSync(elsewhere).length).toBe(510);
  rmSync(elsewhere, { recursive: true });
});
