import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResultDetail, ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import { createProject } from '../project.ts';
import { killStarted, type RunningView, startView } from './view-project.ts';

const ROWS = 20_000;
const HUGE = 3000;
const RUNS = 300;

const project = createProject({});
let view: RunningView;

beforeAll(async () => {
  writeRun('20260101T000000-000-00000000', journalOf(ROWS));
  for (let number = 1; number < RUNS; number++)
    writeRun(`20260102T000000-000-${String(number).padStart(8, '0')}`, journalOf(3));
  view = await startView(project.path);
});

afterAll(killStarted);
afterAll(async () => {
  await view.stop();
  project.remove();
});

test('hundreds of runs are listed, each with its numbers as soon as they are known', async () => {
  let runs: readonly RunRow[] = [];
  while (runs.length === 0 || runs.some(({ cost_usd }) => cost_usd === undefined))
    ({ runs } = await view.json<{ runs: RunRow[] }>('/api/runs'));
  expect(runs).toHaveLength(RUNS);
  expect(runs.at(-1)).toMatchObject({
    summary: { attempts: ROWS },
    pass_rate: { passed: ROWS - ROWS / 100, measured: ROWS },
    targets: ['default'],
  });
  expect(runs[0]).toMatchObject({ pass_rate: { passed: 2, measured: 3 } });
});

test('all rows of a large run arrive in order', async () => {
  const text = await (await view.get('/api/runs/20260101T000000-000-00000000/results')).text();
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as ResultRow);
  expect(rows.map(({ index }) => index)).toEqual(Array.from({ length: ROWS }, (_, index) => index));
  expect(rows[1234]).toMatchObject({ test: 'case-1234', tags: ['ünï'], verdict: 'passed' });
});

test('a client that stops reading does not disturb others', async () => {
  const abort = new AbortController();
  const path = `${view.origin}/api/runs/20260101T000000-000-00000000/results`;
  const response = await fetch(path, {
    headers: { Authorization: `Bearer ${view.token}` },
    signal: abort.signal,
  });
  await response.body!.getReader().read();
  abort.abort();
  expect((await view.get('/api/flaky')).status).toBe(200);
  await view.stop();
  expect(view.printed.stderr).toBe('');
  view = await startView(project.path);
});

test('a record of 5 MB is returned completely, with every digit of its numbers', async () => {
  const path = '/api/runs/20260101T000000-000-00000000/results';
  const response = await view.get(`${path}/${HUGE}`);
  const text = await response.text();
  expect(text).toContain('"big":12345678901234567890');
  const { record } = JSON.parse(text) as ResultDetail;
  expect(record.steps[0]!.output).toHaveLength(5_000_000);
  expect((await view.json<ResultDetail>(`${path}/${HUGE + 1}`)).record.test).toBe(`case-${HUGE + 1}`);
});

test('appended records are read from the last position; an incomplete line is awaited or cut off', async () => {
  const id = '20260103T000000-000-00000000';
  const path = writeRun(id, journalOf(3));
  const names = async (): Promise<string[]> => {
    const text = await (await view.get(`/api/runs/${id}/results`)).text();
    return text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as ResultRow).test);
  };
  expect(await names()).toEqual(['case-0', 'case-1', 'case-2']);
  const whole = readFileSync(path).length;
  const line = recordLine(3);
  appendFileSync(path, line.slice(0, 100));
  expect(await names()).toHaveLength(3);
  appendFileSync(path, line.slice(100));
  expect(await names()).toEqual(['case-0', 'case-1', 'case-2', 'case-3']);
  // As a resumed run does with what a killed one left.
  appendFileSync(path, recordLine(4).slice(0, 100));
  expect(await names()).toHaveLength(4);
  truncateSync(path, whole + line.length + (Buffer.byteLength(line) - line.length));
  appendFileSync(path, recordLine(5));
  expect(await names()).toEqual(['case-0', 'case-1', 'case-2', 'case-3', 'case-5']);
});

test('a journal of an unknown version is refused, and the others are shown', async () => {
  const id = '20260104T000000-000-00000000';
  writeRun(id, '{"assay_journal":3,"run_id":"x"}\n');
  for (const path of ['', '/results', '/results/0', '/events']) {
    const response = await view.get(`/api/runs/${id}${path}`);
    expect([path, response.status, await response.text()]).toEqual([
      path,
      500,
      expect.stringContaining('this program reads versions 1 and 2'),
    ]);
  }
  const { runs } = await view.json<{ runs: RunRow[] }>('/api/runs');
  expect(runs.some(({ run_id }) => run_id === id)).toBe(true);
});

function writeRun(run_id: string, journal: string): string {
  const folder = join(project.path, '.assay/runs', run_id);
  mkdirSync(folder, { recursive: true });
  const attempts = journal.split('\n').length - 2;
  const counts = { tests: attempts, attempts, passed: attempts, failed: 0, error: 0, skipped: 0, flaky: 0 };
  const summary = { ...counts, duration_ms: 1, interrupted: false };
  const description = { run_id, started_at: '2026-01-01T00:00:00.000Z', files: [], cwd: '', options: {} };
  writeFileSync(join(folder, 'run.json'), JSON.stringify(description));
  writeFileSync(join(folder, 'results.jsonl'), journal);
  writeFileSync(join(folder, 'summary.json'), JSON.stringify({ run_id, exit_code: 0, summary }));
  return join(folder, 'results.jsonl');
}

function journalOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, index) => recordLine(index));
  return `{"assay_journal":1,"run_id":"x"}\n${lines.join('')}`;
}

/** As the writer lays it out. One of a hundred fails; one is huge. */
function recordLine(index: number): string {
  const hasFailed = index % 100 === 0;
  const record: AttemptRecord = {
    id: `a.yaml::case-${index}::default::1`,
    file: 'a.yaml',
    line: 1,
    column: 1,
    test: `case-${index}`,
    tags: ['ünï'],
    target: 'default',
    repeat: 1,
    fingerprint: 'f',
    verdict: hasFailed ? 'failed' : 'passed',
    score: hasFailed ? 0 : 1,
    steps: [
      {
        line: 2,
        input: 'the words ,"steps":[ and ],"retries": are no keys here',
        input_messages: [],
        output: index === HUGE ? 'x'.repeat(5_000_000) : 'hello',
        memory_before: { steps: [1], retries: 2 },
        assertions: [],
        duration_ms: 1,
      },
    ],
    assertions: [],
    retries: 0,
    cost_usd: 0.001,
    started_at: '2026-01-01T00:00:00.000Z',
    duration_ms: 5,
  };
  const text = JSON.stringify(record);
  return `${index === HUGE ? text.replace('"retries":2', '"big":12345678901234567890') : text}\n`;
}
