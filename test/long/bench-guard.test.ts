import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createProject } from '../project.ts';

const FEW = { BENCH_FILES: '20', BENCH_CASES: '50', BENCH_REPLAYED: '5', BENCH_ATTEMPTS: '100' };
const PATHS = [
  'start of one test',
  '20 files',
  '50 cases with three evaluators',
  'replayed model calls',
  'memory of 100 attempts',
];

/** With so few cases the numbers mean nothing: what is tested is what becomes of them. */
test('the guard writes a ratio for each path, and fails for one that is above it or has none', () => {
  const project = createProject({});
  onTestFinished(project.remove);
  const cwd = project.path;
  cpSync('bench', join(cwd, 'bench'), { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(resolve('dist'), join(cwd, 'dist'));
  const committed = join(cwd, 'bench/guard.json');
  const guard = (...args: readonly string[]) =>
    spawnSync(process.execPath, ['bench/guard.mjs', ...args], {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, ...FEW },
    });

  const updated = guard('--update');
  expect({ status: updated.status, stderr: updated.stderr }).toEqual({ status: 0, stderr: '' });
  const written = JSON.parse(readFileSync(committed, 'utf8')) as {
    node: number;
    ratios: Record<string, number>;
  };
  expect(written.node).toBe(Number(process.versions.node.split('.')[0]));
  expect(Object.keys(written.ratios)).toEqual(PATHS);
  expect(written.ratios['start of one test']).toBeGreaterThan(1);

  const ratios = { 'start of one test': 0.5, '20 files': 1000, 'replayed model calls': 1000 };
  writeFileSync(committed, JSON.stringify({ ...written, ratios }));
  const { status, stdout, stderr } = guard();
  expect(status).toBe(1);
  expect(stdout.match(/^.*(?=: [-\d.]+x bare node)/gm)).toEqual(PATHS);
  expect(stdout.match(/faster than committed/g)).toHaveLength(2);
  expect(stderr).toBe(
    [
      '  start of one test: at most 125% of the committed ratio is allowed',
      '  50 cases with three evaluators has no ratio in bench/guard.json',
      '  memory of 100 attempts has no ratio in bench/guard.json',
      'If this is intended: npm run bench:guard -- --update, and say why in the commit.\n',
    ].join('\n'),
  );
});
