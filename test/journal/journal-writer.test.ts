import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sealFile } from '../../src/runs/journal/checksum.ts';
import { readJournal } from '../../src/runs/journal/journal-reader.ts';
import { JournalWriter } from '../../src/runs/journal/journal-writer.ts';
import { removeCrashedRuns, removePartialFiles } from '../../src/runs/journal/remove-crashed-runs.ts';
import { RunDirectory } from '../../src/runs/journal/run-directory.ts';
import { ownIdentity } from '../../src/agents/processes/process-identity.ts';
import { attemptRecord, stepRecord } from '../attempt-record.ts';
import { createTempFolder } from '../formats/temp-folder.ts';

function write(path: string, ...outputs: readonly string[]) {
  const writer = new JournalWriter(path, {
    runId: 'r',
    onError: (error) => expect.unreachable(error.message),
  });
  for (const [index, output] of outputs.entries())
    writer.append(attemptRecord({ test: `t${index}`, steps: [stepRecord({ output })] }));
  writer.close();
  return writer.seal;
}

const outputs = (path: string) => [...readJournal(path)].map(({ record }) => record.steps[0]!.output);

test.each([
  ['of three bytes', '€'],
  ['of four bytes', '😀'],
])('long texts of characters %s are read back unchanged, wherever they are split', (_, character) => {
  const path = join(createTempFolder(), 'results.jsonl');
  const texts = ['', 'x', 'xx'].map((start) => start + character.repeat(150_000));
  write(path, ...texts);
  expect(outputs(path).map((text, index) => text === texts[index])).toEqual([true, true, true]);
});

test('a seal counts lines that were damaged before the run was resumed', () => {
  const path = join(createTempFolder(), 'results.jsonl');
  expect(write(path, 'a', 'b', 'c')).toMatchObject({ records: 3, damaged_lines: undefined });
  expect(write(path)).toMatchObject({ records: 3, damaged_lines: undefined });
  writeFileSync(path, readFileSync(path, 'utf8').replace('"output":"b"', '"output":"B"'));
  expect(write(path, 'd')).toMatchObject({ records: 3, damaged_lines: 1 });
  const seal = write(path);
  expect(seal).toMatchObject({
    bytes: readFileSync(path).length,
    damaged_lines: 1,
    ids: [expect.stringContaining('t0'), expect.stringContaining('t2'), expect.stringContaining('t0')],
  });
});

test('with very many records, the seal lists no ids', () => {
  const path = join(createTempFolder(), 'results.jsonl');
  const many = (count: number) => write(path, ...Array.from({ length: count }, () => ''));
  expect(many(5000).ids).toHaveLength(5000);
  expect(many(1)).toMatchObject({ records: 5001, ids: undefined });
});

describe('the description of a run is complete', () => {
  const whole = {
    run_id: 'r',
    sequence: 1,
    started_at: '2026-01-02T03:04:05Z',
    files: [{ file: 'a.yaml', hash: 'h' }],
    cwd: '',
    options: {},
    versions: {},
  };

  test.each<[string, object, boolean]>([
    ['with everything', {}, true],
    ['without a folder', { cwd: undefined }, true],
    ['not without an id', { run_id: undefined }, false],
    ['not without a time', { started_at: 7 }, false],
    ['not without files', { files: undefined }, false],
    ['not with a file without a name', { files: [{ file: 'a.yaml' }, { hash: 'h' }] }, false],
    ['not with a file that is a text', { files: ['a.yaml'] }, false],
    ['not without options', { options: [] }, false],
    ['not with a folder that is none', { cwd: 5 }, false],
  ])('%s', (_, more, isWhole) => {
    const folder = createTempFolder({ 'run.json': sealFile(JSON.stringify({ ...whole, ...more }, null, 2)) });
    expect(new RunDirectory(folder).description() !== undefined).toBe(isWhole);
    expect(new RunDirectory(folder).damagedFiles()).toHaveLength(isWhole ? 0 : 1);
  });
});

test('folders in which no run started are removed, unless one is about to start', () => {
  const runs = createTempFolder();
  const dead = JSON.stringify({
    ...ownIdentity(),
    pid: 2 ** 22 + 1,
    token: 'a'.repeat(24),
    locked_at: '',
    mark: '',
  });
  const alive = JSON.stringify({ ...ownIdentity(), token: 'b'.repeat(24), locked_at: '', mark: '' });
  const name = (last: string): string => `20260102T030405-000-0000000${last}`;
  const begin = (folder: string, files: Readonly<Record<string, string>>): void => {
    mkdirSync(join(runs, folder));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(runs, folder, file), text);
  };
  begin(name('1'), { lock: dead });
  begin(name('2'), { lock: dead, 'run.json': '{}' });
  begin(name('3'), { lock: alive });
  begin(name('4'), {});
  begin(name('5'), {});
  begin('notes', { lock: dead });
  const old = Date.now() / 1000 - 120;
  utimesSync(join(runs, name('5')), old, old);
  removeCrashedRuns(runs);
  expect(readdirSync(runs).sort()).toEqual([name('2'), name('3'), name('4'), 'notes']);
  removeCrashedRuns(join(runs, 'missing'));
});

test('incomplete files are removed, and nothing else', () => {
  const folder = createTempFolder({
    'run.json.7.tmp': '',
    'live.json.12.tmp': '',
    'summary.json.1.tmp': '',
    'notes.tmp': '',
    'run.json': '',
    'xrun.json.7.tmp': '',
  });
  removePartialFiles(folder);
  expect(readdirSync(folder).sort()).toEqual(['notes.tmp', 'run.json', 'xrun.json.7.tmp']);
});
