import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { RunDirectory, type ShardDescription } from '../../runs/journal/run-directory.ts';
import type { RunSelection } from '../../base/model/selection.ts';
import { checkShards } from './check-shards.ts';
import { mergeSelections } from './merge-selections.ts';

/** `2/3` is the second of three shards of plan `p`, of ten attempts each; `2/3 q` is of another plan; `` is no shard. */
function runs(...names: readonly string[]): readonly RunDirectory[] {
  const root = createTempFolder();
  return names.map((name, index) => {
    const [part = '', plan = 'p', balanced_by] = name.split(' ');
    const run = new RunDirectory(join(root, `run${index + 1}`));
    mkdirSync(run.path);
    const [own, total] = part.split('/').map(Number);
    const shard = { index: own!, total: total!, plan, plan_attempts: total! * 10, attempts: 10, balanced_by };
    run.describe({
      run_id: run.runId,
      sequence: index,
      started_at: '2026-01-02T03:04:05Z',
      files: [],
      cwd: '',
      options: {},
      versions: { assay: '', node: '' },
      ...(part === '' ? {} : { shard: shard as ShardDescription }),
    });
    return run;
  });
}

function found(names: readonly string[], allowMissing = false) {
  const { findings, missing } = checkShards(runs(...names), { allowMissing });
  const brief = findings.map(({ code, severity, file }) => `${code} ${severity} ${file.slice(-4)}`);
  return { brief, missing, messages: findings.map(({ message }) => message) };
}

test('all shards of a plan, or runs without shards, are complete', () => {
  expect(found(['1/2', '2/2'])).toEqual({ brief: [], missing: 0, messages: [] });
  expect(found(['', ''])).toEqual({ brief: [], missing: 0, messages: [] });
  expect(found(['1/1', '1/2 q', '2/2 q']).brief).toEqual([]);
});

test('a missing shard is an error, or a warning if that is allowed', () => {
  const one = found(['1/3', '3/3']);
  expect(one).toMatchObject({ brief: ['shard_missing error run1'], missing: 10 });
  expect(one.messages[0]).toMatch(/^shard 2\/3 .*missing.* 10 of 30 /);
  const two = found(['2/3'], true);
  expect(two).toMatchObject({ brief: ['shard_missing warning run1'], missing: 20 });
  expect(two.messages[0]).toMatch(/^shards 1\/3, 3\/3 .*missing.* 20 of 30 /);
});

test('a duplicate shard is a warning and counts once', () => {
  const twice = found(['1/2', '2/2', '1/2']);
  expect(twice).toMatchObject({ brief: ['shard_twice warning run3'], missing: 0 });
  expect(twice.messages[0]).toMatch(/1\/2 .* 2 times: run1, run3/);
  expect(found(['1/2', '1/2']).missing).toBe(10);
});

test('a shard of another plan is reported, and so is the rest of its plan that is missing', () => {
  expect(found(['1/2', '2/2', '1/2 q']).brief).toEqual([
    'shard_missing error run3',
    'shard_foreign error run3',
  ]);
  expect(found(['1/3 q', '1/2', '2/2']).brief).toEqual([
    'shard_missing error run1',
    'shard_foreign error run1',
  ]);
  expect(found(['1/2 q a', '2/2 q b']).brief).toEqual([
    'shard_missing error run1',
    'shard_missing error run2',
    'shard_foreign error run2',
  ]);
});

const selection = (more: Partial<RunSelection> = {}): RunSelection => ({
  tests_in_files: 10,
  selected: 4,
  left_out: { filters: 6, only: 0, passed: 0 },
  filters: ['--grep a'],
  ...more,
});

test('what all shards left out is left out of the merged run', () => {
  const shard = { index: 1, total: 2 } as never;
  expect(mergeSelections([selection(), selection({ shard })])).toEqual(selection());
  expect(mergeSelections([])).toBeUndefined();
  expect(mergeSelections([selection(), undefined])).toBeUndefined();
});

test('a selection that leaves out nothing is not reported', () => {
  const left_out = { filters: 0, only: 0, passed: 0 };
  const all = selection({ filters: [], left_out, shard: { index: 1, total: 2 } as never });
  expect(mergeSelections([all, all])).toBeUndefined();
  expect(mergeSelections([selection({ filters: [], left_out: { ...left_out, only: 1 } })])).toBeDefined();
  expect(mergeSelections([selection({ filters: [], left_out, last_failed: {} as never })])).toBeDefined();
});

test('with different selections, only what all of them left out is certainly missing', () => {
  const other = selection({
    tests_in_files: 12,
    selected: 3,
    left_out: { filters: 2, only: 5, passed: 1 },
    filters: ['--grep b', '--grep a'],
  });
  expect(mergeSelections([selection(), other])).toEqual({
    tests_in_files: 12,
    selected: 4,
    left_out: { filters: 2, only: 0, passed: 0 },
    filters: ['--grep a', '--grep b'],
  });
});
