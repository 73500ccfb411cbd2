import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRunDirectory, findRun, listRuns } from '../../src/runs/journal/run-directory.ts';
import type { RunRow } from '../../src/base/model/page-data.ts';
import { RunLibrary } from '../../src/show/view/run-library.ts';
import { createProject, runCli, startCli } from '../project.ts';
import { runFolders } from '../run-folders.ts';

describe('on the command line', () => {
  let project: ReturnType<typeof createProject>;
  afterEach(() => project.remove());

  test("a clock that was set back does not make yesterday's green run the latest", async () => {
    const suite = '- {id: a, input: hi, assert: {output.includes: hello}}\n';
    const answer = (output: string): string => `export const agent = () => ({ output: '${output}' });`;
    project = createProject({
      'a.test.yaml': suite,
      'agent.mjs': answer('hello'),
      'clock.cjs': `const Real = Date;
        const back = () => Real.now() - 86_400_000;
        globalThis.Date = class extends Real { constructor(...args) { args.length === 0 ? super(back()) : super(...args); } static now() { return back(); } };`,
    });
    const { path: cwd } = project;
    const env = { NODE_OPTIONS: `--require ${join(cwd, 'clock.cjs')}` };
    const run = ['run', '--agent', './agent.mjs'];
    expect((await runCli(run, { cwd })).exitCode).toBe(0);
    const [green] = runFolders(cwd);
    writeFileSync(join(cwd, 'agent.mjs'), answer('no'));
    expect((await startCli(run, { cwd, env })).exitCode).toBe(1);
    const red = runFolders(cwd).find((folder) => folder !== green)!;
    // By its id it is older.
    expect(red < green!).toBe(true);
    expect(findRun(cwd, 'latest')!.path).toBe(red);
    expect((await runCli(['grade'], { cwd })).exitCode).toBe(1);
    expect((await runCli([...run, '--resume'], { cwd })).exitCode).toBe(1);
    const again = await runCli([...run, '--last-failed', '--no-record'], { cwd });
    expect(again).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('FAIL a') });
    const rows = await new RunLibrary({ projectRoot: cwd }).list();
    expect(rows.map((row: RunRow) => row.exit_code)).toEqual([1, 0]);
  });

  test('runs that start at the same time get different numbers', async () => {
    project = createProject({
      'a.test.yaml': '- {id: a, input: hi, assert: {output.includes: hello}}\n',
      'agent.mjs': "export const agent = () => ({ output: 'hello' });",
    });
    const { path: cwd } = project;
    await Promise.all([1, 2, 3, 4].map(() => runCli(['run', '--agent', './agent.mjs'], { cwd })));
    const numbers = listRuns(cwd).map((run) => run.description()!.sequence);
    expect(numbers).toHaveLength(4);
    expect(new Set(numbers).size).toBe(4);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a! - b!));
  });
});

test('of two first runs of a project at the same time, each writes what it needs', async () => {
  const { path: cwd, remove } = createProject({
    'a.test.yaml': '- {id: a, input: hi, assert: {output.includes: hello}}\n',
    'agent.mjs': "export const agent = () => ({ output: 'hello' });",
    // The other run is faster each time.
    'other.cjs': `const fs = require('node:fs');
      const { writeFileSync } = fs;
      fs.writeFileSync = (path, ...rest) => {
        if (String(path).endsWith('.gitignore')) writeFileSync(path, '*\\n');
        return writeFileSync(path, ...rest);
      };`,
  });
  const env = { NODE_OPTIONS: `--require ${join(cwd, 'other.cjs')}` };
  const { exitCode, stderr } = await startCli(['run', '--agent', './agent.mjs'], { cwd, env });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(readFileSync(join(cwd, '.assay', '.gitignore'), 'utf8')).toBe('*\n');
  remove();
});

describe('the order of runs', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'assay-order-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const counter = (): string => join(root, '.assay', 'sequence');
  function begin(): { readonly id: string; readonly sequence: number } {
    const run = createRunDirectory(root, (run_id) => ({
      run_id,
      started_at: '2026-01-01T00:00:00.000Z',
      files: [],
      cwd: '',
      options: {},
      versions: { assay: '', node: '' },
    }));
    run.unlock();
    // Ids of one millisecond are in no order.
    for (const now = Date.now(); Date.now() === now;);
    return { id: run.runId, sequence: run.description()!.sequence! };
  }
  const order = (): readonly string[] => listRuns(root).map(({ runId }) => runId);
  /** A run of a version that had no numbers. */
  function old(id: string): string {
    const path = join(root, '.assay', 'runs', id);
    mkdirSync(path, { recursive: true });
    const description = { run_id: id, started_at: id, files: [], cwd: '', options: {}, versions: {} };
    writeFileSync(join(path, 'run.json'), JSON.stringify(description));
    return id;
  }

  test('a lost or damaged counter is restored from the runs', () => {
    expect([begin().sequence, begin().sequence]).toEqual([1, 2]);
    rmSync(counter(), { recursive: true });
    expect(begin().sequence).toBe(3);
    for (const name of readdirSync(counter())) rmSync(join(counter(), name));
    writeFileSync(join(counter(), '1'), 'x');
    writeFileSync(join(counter(), 'nonsense'), '');
    writeFileSync(join(counter(), '-7'), '');
    expect(begin().sequence).toBe(4);
  });

  test('numbers continue after runs are deleted, and few files are kept for them', () => {
    const first = begin();
    rmSync(join(root, '.assay', 'runs', first.id), { recursive: true });
    expect(begin().sequence).toBe(2);
    for (let number = 3; number <= 122; number++) writeFileSync(join(counter(), String(number)), '');
    expect(begin().sequence).toBe(123);
    expect(readdirSync(counter()).length).toBeLessThan(110);
  });

  test('runs of older versions come first, by their ids', () => {
    const later = old('29990101T000000-000-00000001');
    const own = begin().id;
    const earlier = old('20200101T000000-000-00000001');
    expect(order()).toEqual([earlier, later, own]);
  });

  test.each([
    ['half of it', (text: string) => text.slice(0, 40)],
    ['nothing', () => ''],
    ['another number', (text: string) => text.replace('"sequence": 3', '"sequence": 1')],
    ['no number', (text: string) => text.replace('  "sequence": 3,\n', '')],
  ])('a damaged run.json (%s) does not move its run', (_, damage) => {
    const ids = [begin().id, begin().id, begin().id];
    const path = join(root, '.assay', 'runs', ids[2]!, 'run.json');
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    expect(order()).toEqual(ids);
    expect(findRun(root, 'latest')!.runId).toBe(ids[2]);
    expect(begin().sequence).toBe(4);
  });
});
