import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HistoryPoint, ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import type { AttemptRecord } from '../../src/base/model/record.ts';
import type { Summary } from '../../src/base/model/summary.ts';
import { runCli } from '../project.ts';
import { readReport } from './read-report.ts';
import { createViewProject, killStarted, startView, type RunningView } from './view-project.ts';

/** `n of m` passes in its first n calls; `breaks` loses its second step; everything costs a little. */
const AGENT = `
const calls = {};
export const agent = async (input) => {
  const call = (calls[input] = (calls[input] ?? 0) + 1);
  const passes = Number(/^(\\d+) times/.exec(input)?.[1] ?? Infinity);
  const errors = Number(/(\\d+) errors/.exec(input)?.[1] ?? 0);
  if (input === 'boom' || (call > passes && call <= passes + errors)) throw new Error('away');
  return { output: call <= passes ? 'yes' : 'no', cost_usd: 0.125 * (input.length % 4), token_usage: { input: 3, output: 1 } };
};
`;
const one = (id: string, input: string, more = ''): string =>
  `- id: ${id}\n  input: ${input}\n${more}  assert:\n    output.equals: 'yes'\n`;
const project = createViewProject({
  'agent.mjs': AGENT,
  'other.mjs': AGENT.replace("? 'yes' : 'no'", "? 'maybe' : 'no'"),
  'third.mjs': AGENT.replace('cost_usd', 'other'),
  'all.test.yaml': one('only', 'hello'),
  'passing.test.yaml': one('a', 'hello') + one('b', 'hi'),
  'failing.test.yaml': one('a', 'hello') + one('b', '0 times'),
  'flaky.test.yaml': one('a', '2 times') + one('b', '4 times', "  repeats: 5\n  pass_at_least: '3/5'\n"),
  'errors.test.yaml': `${one('a', 'boom')}- id: breaks\n  steps:\n    - input: hello\n      assert:\n        output.equals: 'yes'\n    - input: boom\n      assert:\n        output.equals: 'yes'\n`,
  'coverage.test.yaml': one('a', '6 times and 4 errors', '  repeats: 10\n  pass_at_least: 0.5\n'),
  'skipped.test.yaml': one('a', 'hello') + one('b', 'hello', '  skip: not now\n'),
});

/** Every kind of run, by its name: the arguments of `assay run`. */
const RUNS: Readonly<Record<string, readonly string[]>> = {
  passing: ['passing.test.yaml'],
  failing: ['failing.test.yaml', '--repeats', '2'],
  flaky: ['flaky.test.yaml', '--repeats', '4'],
  erroring: ['errors.test.yaml', '--repeats', '2'],
  'too many errors': ['coverage.test.yaml'],
  'less coverage': ['coverage.test.yaml', '--min-coverage', '0.5'],
  skipped: ['skipped.test.yaml'],
  'out of money': ['flaky.test.yaml', '--repeats', '4', '--max-cost', '0.5'],
  adaptive: ['failing.test.yaml', '--repeats', 'auto', '--max-repeats', '20'],
  'first shard': ['failing.test.yaml', 'flaky.test.yaml', '--shard', '1/2'],
  'second shard': ['failing.test.yaml', 'flaky.test.yaml', '--shard', '2/2'],
  'everything at once': ['.', '--repeats', '3', '--min-pass-rate', '0.5'],
};
const ids: Record<string, string> = {};
let view: RunningView;

beforeAll(async () => {
  for (const [name, args] of Object.entries(RUNS)) ids[name] = await project.run('--workers', '1', ...args);
  const merge = async (name: string, ...parts: readonly string[]): Promise<void> => {
    await runCli(['merge', ...parts.map((part) => ids[part]!)], { cwd: project.path });
    ids[name] = project.runIds().at(-1)!;
  };
  await merge('merged', 'first shard', 'second shard');
  for (const agent of ['./other.mjs', './third.mjs']) {
    await runCli(['run', 'failing.test.yaml', '--repeats', '2', '--agent', agent], { cwd: project.path });
    ids[agent] = project.runIds().at(-1)!;
  }
  await merge('several targets', 'failing', './other.mjs', './third.mjs');
  view = await startView(project.path);
}, 120_000);
afterAll(killStarted);
afterAll(async () => {
  await view?.stop();
  project.remove();
});

const counted = (records: readonly AttemptRecord[], verdict: string): number =>
  records.filter((record) => record.verdict === verdict).length;

/** The numbers of a run from its journal, as simply as possible. Verdicts of tests come from the terminal's JSON. */
function recompute(id: string) {
  const lines = readFileSync(join(project.path, '.assay/runs', id, 'results.jsonl'), 'utf8')
    .trim()
    .split('\n');
  const all = lines
    .map((line) => JSON.parse(line) as AttemptRecord)
    .filter((record) => record.steps !== undefined);
  const latest = [...new Map(all.map((record) => [record.id, record])).values()];
  const cost = (record: AttemptRecord): number =>
    record.cost_usd ?? record.steps.reduce((sum, step) => sum + (step.cost_usd ?? 0), 0);
  const tests = new Map<string, AttemptRecord[]>();
  for (const record of latest) {
    const key = JSON.stringify([record.file, record.test, record.target]);
    tests.set(key, [...(tests.get(key) ?? []), record]);
  }
  const passed = counted(latest, 'passed');
  return {
    tests,
    attempts: latest.length,
    passedAttempts: passed,
    measured: passed + counted(latest, 'failed'),
    cost: latest.reduce((sum, record) => sum + cost(record), 0),
    flaky: [...tests.values()].filter((own) => counted(own, 'passed') > 0 && counted(own, 'failed') > 0)
      .length,
    costOf: (own: readonly AttemptRecord[]) => own.reduce((sum, record) => sum + cost(record), 0),
  };
}

interface JsonReport {
  readonly exit_code: number;
  readonly summary: Summary;
  readonly results: readonly AttemptRecord[];
}

const NAMES = [...Object.keys(RUNS), 'merged', './other.mjs', 'several targets'];

test.each(NAMES)(
  '%s: the list, the run, its rows, the history and a report agree with the journal',
  async (name) => {
    const id = ids[name]!;
    const truth = recompute(id);
    await runCli(['report', id, '--json', 'report.json', '--html', 'report.html'], { cwd: project.path });
    const readFile = (file: string): string => readFileSync(join(project.path, file), 'utf8');
    const report = JSON.parse(readFile('report.json')) as JsonReport;
    const { summary } = report;
    const { run } = await view.json<{ run: RunRow }>(`/api/runs/${id}`);
    const { runs } = await view.json<{ runs: readonly RunRow[] }>('/api/runs');
    const listed = runs.find(({ run_id }) => run_id === id)!;
    const packed = readReport(readFile('report.html'));
    for (const row of [run, listed, packed.run]) {
      const { tests, attempts, passed, failed, error, skipped, flaky } = row.summary;
      const { tests: t, attempts: a, passed: p, failed: f, error: e, skipped: s } = summary;
      expect({ tests, attempts, passed, failed, error, skipped, flaky }).toEqual({
        tests: t,
        attempts: a,
        passed: p,
        failed: f,
        error: e,
        skipped: s,
        flaky: truth.flaky,
      });
      expect(row.exit_code).toBe(report.exit_code);
      expect(row.cost_usd ?? 0).toBeCloseTo(truth.cost, 9);
      expect(row.cost_usd ?? 0).toBeCloseTo(summary.cost_usd ?? 0, 9);
      expect(row.pass_rate ?? { passed: 0, measured: 0 }).toMatchObject({
        passed: truth.passedAttempts,
        measured: truth.measured,
      });
      const sum = (read: (target: RunRow['by_target'][number]) => number): number =>
        row.by_target.reduce((total, target) => total + read(target), 0);
      expect(sum((target) => target.summary.attempts)).toBe(truth.attempts);
      expect(sum((target) => target.summary.tests)).toBe(truth.tests.size);
      expect(sum((target) => target.cost_usd ?? 0)).toBeCloseTo(truth.cost, 9);
    }
    const lines = (await (await view.get(`/api/runs/${id}/results`)).text()).trim().split('\n');
    const rows = lines.map((line) => JSON.parse(line) as ResultRow);
    expect(rows).toHaveLength(truth.attempts);
    // The last row of a test knows its verdict; in a report, every row does.
    const verdicts = (all: readonly ResultRow[]) => {
      const last = new Map(all.map((row) => [JSON.stringify([row.file, row.test, row.target]), row]));
      const found = { passed: 0, failed: 0, error: 0, skipped: 0, not_graded: 0 };
      for (const row of last.values()) found[(row.of_test ?? row).verdict]++;
      return found;
    };
    const { passed, failed, error, skipped } = summary;
    // A test that was never started has no row.
    const unseen = summary.tests - truth.tests.size;
    for (const all of [rows, packed.rows])
      expect(verdicts(all)).toEqual({ passed, failed, error: error - unseen, skipped, not_graded: 0 });
    // A merged run has the attempts of its parts: histories count them once.
    const isPart = runs.some(({ merged_from = [] }) => merged_from.includes(id));
    for (const [key, own] of truth.tests) {
      const [file, title, target] = JSON.parse(key) as [string, string, string];
      const query = new URLSearchParams({ file, test: title, target });
      const { points } = await view.json<{ points: readonly HistoryPoint[] }>(`/api/history?${query}`);
      const found = points.find(({ run_id }) => run_id === id);
      expect(found === undefined).toBe(isPart);
      const last = rows.findLast((row) => row.file === file && row.test === title && row.target === target)!;
      if (found !== undefined) {
        expect(found.verdict).toBe((last.of_test ?? last).verdict);
        expect(found.errors).toBe(counted(own, 'error'));
        expect(found.pass_rate?.passed ?? 0).toBe(counted(own, 'passed'));
      }
      const costs = rows.filter((row) => row.test === title && row.file === file && row.target === target);
      expect(costs.reduce((sum, row) => sum + (row.cost_usd ?? 0), 0)).toBeCloseTo(truth.costOf(own), 9);
    }
  },
);

test('a run that was cut short is counted by the same gates', async () => {
  for (const name of ['less coverage', 'too many errors', 'flaky', 'adaptive', 'several targets']) {
    const id = ids[name]!;
    const path = join(project.path, '.assay/runs', id, 'summary.json');
    const { summary } = JSON.parse(readFileSync(path, 'utf8')) as { summary: Summary };
    rmSync(path);
    const { runs } = await view.json<{ runs: readonly RunRow[] }>('/api/runs');
    const listed = runs.find(({ run_id }) => run_id === id)!;
    const { tests, passed, failed, error, flaky } = summary;
    expect(listed).toMatchObject({ state: 'broken_off', summary: { tests, passed, failed, error, flaky } });
    expect(listed.cost_usd ?? 0).toBeCloseTo(summary.cost_usd ?? 0, 9);
    expect(listed.comparable).toBeUndefined();
    // The file may be written or copied later: what counts is when the last attempt ended, as in reports.
    const { stdout } = await runCli(['report', id, '--json', '-'], { cwd: project.path });
    const report = JSON.parse(stdout) as { readonly summary: Summary };
    expect(listed.summary.duration_ms).toBe(report.summary.duration_ms);
  }
});

test('the runs above cover every kind', () => {
  expect(readdirSync(join(project.path, '.assay/runs')).length).toBeGreaterThan(14);
  const some = Object.values(ids).map(recompute);
  expect(some.some(({ flaky }) => flaky > 0)).toBe(true);
  expect(some.some(({ measured, attempts }) => measured < attempts)).toBe(true);
});
