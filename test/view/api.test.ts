import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Comparison } from '../../src/base/model/comparison.ts';
import type { HistoryPoint, ResultDetail, ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import { asVersion1 } from '../old-journal.ts';
import { createViewProject, killStarted, type RunningView, startView } from './view-project.ts';

const project = createViewProject();
let first: string;
let second: string;
let view: RunningView;

beforeAll(async () => {
  first = await project.run();
  second = await project.run('--repeats', '4');
  view = await startView(project.path);
});

afterAll(killStarted);
afterAll(async () => {
  expect(await view.stop()).toBe(0);
  project.remove();
});

test('the runs are listed with their results, the latest first', async () => {
  const { runs } = await view.json<{ runs: RunRow[] }>('/api/runs');
  expect(runs.map(({ run_id }) => run_id)).toEqual([second, first]);
  expect(runs[0]).toMatchObject({
    state: 'ended',
    files: ['all.test.yaml'],
    targets: ['./agent.mjs'],
    exit_code: 1,
    summary: { tests: 5, attempts: 17, passed: 1, failed: 2, error: 1, skipped: 1, flaky: 1 },
    // good 4/4, bad 0/4, sometimes 2/4; errors and skipped ones were not measured.
    pass_rate: { passed: 6, measured: 12, rate: 0.5 },
  });
  expect(runs[0]!.pass_rate!.low).toBeCloseTo(0.2538, 4);
  expect(runs[0]!.cost_usd).toBeCloseTo(0.012, 9);
  expect(runs[0]!.latency_ms!.p95).toBeGreaterThanOrEqual(runs[0]!.latency_ms!.median);
  expect(await view.json('/api/runs')).toEqual({ runs });
});

test('a run has its row and its settings', async () => {
  const { run, description, live } = await view.json<Record<string, { run_id: string }>>(
    `/api/runs/${first}`,
  );
  expect(run).toMatchObject({ run_id: first, exit_code: 1 });
  expect(description).toMatchObject({ run_id: first, files: [{ file: 'all.test.yaml' }] });
  expect(live).toBeUndefined();
});

test('rows come one per line, starting at the requested one', async () => {
  const rows = await rowsOf(`/api/runs/${first}/results`);
  expect(rows.map(({ index, test: name, verdict }) => [index, name, verdict])).toEqual([
    [0, 'good', 'passed'],
    [1, 'bad', 'failed'],
    [2, 'sometimes', 'passed'],
    [3, 'broken', 'error'],
    [4, 'later', 'skipped'],
  ]);
  expect(rows[0]).toMatchObject({
    id: 'all.test.yaml::good::./agent.mjs::1',
    file: 'all.test.yaml',
    line: 2,
    description: 'A test that passes',
    tags: ['smoke'],
    score: 1,
    cost_usd: 0.001,
    token_usage: { input: 5, output: 2 },
  });
  expect(rows.map(({ problem }) => problem)).toEqual([
    undefined,
    'output.includes: expected "goodbye", got "You said hello"',
    undefined,
    expect.stringContaining('the agent broke'),
    undefined,
  ]);
  expect(await rowsOf(`/api/runs/${first}/results?from=3`)).toEqual(rows.slice(3));
  expect(await rowsOf(`/api/runs/${first}/results?from=99`)).toEqual([]);
  expect((await view.get(`/api/runs/${first}/results?from=-1`)).status).toBe(400);
});

test("a result is the journal's record, with the source around its places", async () => {
  const { record, sources, editor } = await view.json<ResultDetail>(`/api/runs/${first}/results/1`);
  expect(editor).toEqual({
    editor: 'vscode',
    paths: { 'all.test.yaml': join(realpathSync(project.path), 'all.test.yaml') },
  });
  const journal = readFileSync(join(project.path, '.assay/runs', first, 'results.jsonl'), 'utf8');
  expect(record).toEqual(JSON.parse(asVersion1(journal).split('\n')[2]!));
  expect(sources).toHaveLength(1);
  expect(sources[0]).toMatchObject({ file: 'all.test.yaml', first_line: 5, has_changed: false });
  expect(sources[0]!.lines[11 - 5]).toBe('    output.includes: goodbye');
  for (const path of ['results/5', 'results/x', 'results/1/more', 'nothing'])
    expect((await view.get(`/api/runs/${first}/${path}`)).status, path).toBe(404);
});

test('the events of a finished run are its rows, the run, and the end', async () => {
  const text = await (await view.get(`/api/runs/${first}/events?from=4`)).text();
  const events = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => [
    name,
    JSON.parse(data!) as unknown,
  ]);
  expect(events).toEqual([
    ['rows', [expect.objectContaining({ test: 'later' })]],
    ['run', { run: expect.objectContaining({ run_id: first, state: 'ended' }) as unknown }],
    ['end', {}],
  ]);
});

test('the history of a test covers the runs, oldest first; flaky tests are counted', async () => {
  const query = new URLSearchParams({ file: 'all.test.yaml', test: 'sometimes', target: './agent.mjs' });
  const { points } = await view.json<{ points: HistoryPoint[] }>(`/api/history?${query}`);
  expect(points).toMatchObject([
    { run_id: first, is_flaky: false, errors: 0, score: 1, pass_rate: { passed: 1, measured: 1 } },
    { run_id: second, is_flaky: true, errors: 0, score: 0.5, pass_rate: { passed: 2, measured: 4 } },
  ]);
  expect((await view.get('/api/history?file=all.test.yaml')).status).toBe(400);
  expect(await view.json('/api/flaky')).toEqual({
    tests: [
      {
        file: 'all.test.yaml',
        test: 'sometimes',
        target: './agent.mjs',
        runs: 2,
        flaky_runs: 1,
        passed: 3,
        measured: 5,
        last_failure: {
          run_id: second,
          started_at: expect.any(String) as unknown,
          problem: 'output.includes: expected "hello", got "no"',
        },
      },
    ],
  });
});

test('two runs can be compared, but not missing ones', async () => {
  const compared = await view.json<Comparison>(`/api/compare?a=${first}&b=${second}`);
  expect(compared).toMatchObject({ before: { run_id: first }, after: { run_id: second }, unit: 'attempt' });
  expect(compared.pairs).toBeGreaterThan(0);
  expect((await view.get(`/api/compare?a=${first}&b=none`)).status).toBe(404);
});

test('a removed run is gone, even for clients that had requested it before', async () => {
  const id = copyRun(first, 'removed');
  const paths = ['', '/results', '/results/0'].map((part) => `/api/runs/${id}${part}`);
  const comparison = `/api/compare?a=${first}&b=${id}`;
  const statuses = async (): Promise<readonly number[]> =>
    Promise.all([...paths, comparison].map(async (path) => (await view.get(path)).status));
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  // Somebody is in the middle of removing it.
  rmSync(join(project.path, '.assay/runs', id, 'results.jsonl'));
  expect((await view.get(paths[2]!)).status).toBe(404);
  rmSync(join(project.path, '.assay/runs', id), { recursive: true });
  expect(await statuses()).toEqual([404, 404, 404, 404]);
});

test('an attempt that a resumed run repeated counts once, by its last record', async () => {
  const id = copyRun(first, 'resumed');
  const journal = join(project.path, '.assay/runs', id, 'results.jsonl');
  const text = asVersion1(readFileSync(journal, 'utf8'));
  const [, good] = text.split('\n');
  writeFileSync(journal, `${text}${good!.replace('"verdict":"passed"', '"verdict":"failed"')}\n`);
  const rows = await rowsOf(`/api/runs/${id}/results`);
  const fromWhole = await rowsOf(`/api/runs/${id}/results`);
  for (const list of [rows.filter(({ index }) => index !== 0), fromWhole])
    expect(list.map(({ index, test: name }) => [index, name])).toEqual([
      [1, 'bad'],
      [2, 'sometimes'],
      [3, 'broken'],
      [4, 'later'],
      [5, 'good'],
    ]);
  const { runs } = await view.json<{ runs: RunRow[] }>('/api/runs');
  expect(runs.find(({ run_id }) => run_id === id)!.pass_rate).toMatchObject({ passed: 1, measured: 3 });
});

test('an incomplete line, a damaged line and a damaged description are reported, and the rest is shown', async () => {
  const id = copyRun(first, 'damaged');
  const folder = join(project.path, '.assay/runs', id);
  const lines = readFileSync(join(folder, 'results.jsonl'), 'utf8').split('\n');
  lines[2] = lines[2]!.replace('"steps":[', '"steps":[oops');
  lines[4] = lines[4]!.slice(0, 60);
  writeFileSync(join(folder, 'results.jsonl'), `${lines.join('\n')}{"id":"half`);
  writeFileSync(join(folder, 'run.json'), '{');
  const rows = await rowsOf(`/api/runs/${id}/results`);
  expect(rows.map(({ test: name }) => name)).toEqual(['good', 'sometimes', 'later']);
  expect((await view.get(`/api/runs/${id}/results/1`)).status).toBe(200);
  const { run } = await view.json<{ run: RunRow }>(`/api/runs/${id}`);
  expect(run).toMatchObject({ run_id: id, files: [], state: 'damaged' });
  expect(run.damage).toEqual([
    'run.json: it is not a JSON object',
    'results.jsonl:3: the record of all.test.yaml::bad::./agent.mjs::1 is damaged',
    'results.jsonl:5: the record of all.test.yaml::broken::./agent.mjs::1 is damaged',
  ]);
  const { runs } = await view.json<{ runs: RunRow[] }>('/api/runs');
  expect(runs.find(({ run_id }) => run_id === id)!.damage).toEqual(run.damage);
});

test('the source of a result says if its file has changed, and contains no secret', async () => {
  const other = createViewProject({
    '.env': 'SERVICE_TOKEN=correct-horse-battery\n',
    'outside.test.yaml': '- id: a\n  input: correct-horse-battery\n  assert:\n    output.includes: a\n',
  });
  const id = await other.run('outside.test.yaml');
  appendFileSync(join(other.path, 'outside.test.yaml'), '# changed\n');
  const started = await startView(other.path);
  const { record, sources } = await started.json<ResultDetail>(`/api/runs/${id}/results/0`);
  await started.stop();
  other.remove();
  expect(JSON.stringify({ record, sources })).not.toContain('correct-horse-battery');
  expect(sources).toMatchObject([{ file: 'outside.test.yaml', has_changed: true }]);
  expect(sources[0]!.lines[1]).toBe('  input: [redacted]');
});

test('no file outside the project is shown, whatever a journal says', async () => {
  const other = createViewProject({ 'other.yaml': 'private: yes\n'.repeat(30) });
  const outside = join(other.path, 'other.yaml');
  writeFileSync(join(project.path, 'notes.txt'), 'private\n'.repeat(30));
  symlinkSync(outside, join(project.path, 'link.yaml'));
  const files = [outside, relative(project.path, outside), 'link.yaml', 'notes.txt', '/etc', '.assay'];
  for (const [number, file] of files.entries()) {
    const id = copyRun(first, `hostile-${number}`);
    const journal = join(project.path, '.assay/runs', id, 'results.jsonl');
    writeFileSync(
      journal,
      asVersion1(readFileSync(journal, 'utf8')).replaceAll(
        '"file":"all.test.yaml"',
        `"file":${JSON.stringify(file)}`,
      ),
    );
    const { record, sources } = await view.json<ResultDetail>(`/api/runs/${id}/results/0`);
    expect([record.file, sources]).toEqual([file, []]);
  }
  other.remove();
});

async function rowsOf(path: string): Promise<ResultRow[]> {
  const text = await (await view.get(path)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ResultRow);
}

/** The same run under another name, as if somebody had put it there. */
function copyRun(id: string, name: string): string {
  const folder = join(project.path, '.assay/runs');
  mkdirSync(join(folder, name));
  cpSync(join(folder, id), join(folder, name), { recursive: true });
  return name;
}
