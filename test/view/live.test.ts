import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ownIdentity } from '../../src/agents/processes/process-identity.ts';
import type { LiveState, ResultRow, RunRow } from '../../src/base/model/page-data.ts';
import { runCli, startCli } from '../project.ts';
import { createViewProject, killStarted, type RunningView, startView } from './view-project.ts';

const SLOW = Array.from(
  { length: 6 },
  (_, index) =>
    `- id: slow-${index}\n  input: slow 400\n  assert:\n    output.includes: ${index === 0 ? 'quick' : 'slow'}\n`,
).join('');

const project = createViewProject({ 'slow.test.yaml': SLOW });
let view: RunningView;
let child: ChildProcess | undefined;

beforeAll(async () => {
  await project.run('all.test.yaml');
  view = await startView(project.path);
});

afterEach(() => {
  child?.kill('SIGKILL');
});

afterAll(killStarted);
afterAll(async () => {
  await view.stop();
  project.remove();
});

interface RunNow {
  readonly run: RunRow;
  readonly live?: LiveState;
}

test('a run of another process is followed: planned and running attempts, each result, and the end', async () => {
  const { runId, ended } = await startSlowRun();
  const { run, live } = await view.json<RunNow>(`/api/runs/${runId}`);
  expect(run).toMatchObject({ run_id: runId, state: 'running' });
  expect(run.exit_code).toBeUndefined();
  expect(live).toMatchObject({
    planned: 6,
    running: [{ test: expect.stringMatching(/^slow-\d$/) as string }],
  });
  const { runs } = await view.json<{ runs: RunRow[] }>('/api/runs');
  expect(runs[0]).toMatchObject({ run_id: runId, state: 'running' });

  const events = await readEvents(`/api/runs/${runId}/events?from=0`);
  const rows = events.flatMap(({ name, data }) => (name === 'rows' ? (data as ResultRow[]) : []));
  expect(rows.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
  // Not all at once at the end.
  expect(events.filter(({ name }) => name === 'rows').length).toBeGreaterThan(1);
  const states = events.flatMap(({ name, data }) => (name === 'run' ? [data as RunNow] : []));
  expect(states.at(0)!.run.state).toBe('running');
  const running = new Set(
    states.flatMap((state) => state.live?.running ?? []).map((attempt) => attempt.test),
  );
  expect(running.size).toBeGreaterThan(1);
  const counted = states.map((state) => state.run.summary.attempts);
  expect(counted).toEqual(counted.toSorted((a, b) => a - b));
  expect(states.at(-1)).toMatchObject({
    run: { state: 'ended', exit_code: 1, summary: { passed: 5, failed: 1 } },
  });
  expect(events.at(-1)!.name).toBe('end');
  await ended;
  expect(existsSync(livePath(runId))).toBe(false);
});

test('a killed run is shown as cut short, and its events end', async () => {
  const { runId, ended } = await startSlowRun();
  const events = readEvents(`/api/runs/${runId}/events`);
  await until(async () => (await view.json<RunNow>(`/api/runs/${runId}`)).run.summary.attempts > 0);
  child!.kill('SIGKILL');
  await ended;
  expect(existsSync(livePath(runId))).toBe(true);
  const last = (await events).findLast(({ name }) => name === 'run')!.data as RunNow;
  expect(last.run).toMatchObject({ state: 'broken_off', summary: { failed: 1 } });
  expect(last.live).toBeUndefined();
  expect(await view.json<RunNow>(`/api/runs/${runId}`)).toMatchObject({ run: { state: 'broken_off' } });
});

test('a run that is resumed is running again, and ends', async () => {
  const [runId] = project.runIds().slice(-1);
  const resumed = project.run('slow.test.yaml', '--resume');
  await until(async () => (await view.json<RunNow>(`/api/runs/${runId}`)).run.state === 'running');
  expect(await resumed).toBe(runId);
  const { run } = await view.json<RunNow>(`/api/runs/${runId}`);
  expect(run).toMatchObject({ state: 'ended', summary: { passed: 5, failed: 1 } });
});

test('Ctrl-C leaves an interrupted run that does not look running', async () => {
  const { runId, ended } = await startSlowRun();
  child!.kill('SIGINT');
  expect((await ended).exitCode).toBe(130);
  expect(await view.json<RunNow>(`/api/runs/${runId}`)).toMatchObject({ run: { state: 'interrupted' } });
  expect(existsSync(livePath(runId))).toBe(false);
});

test('a reused process id does not make a run look alive', async () => {
  const [runId] = project.runIds();
  const folder = join(project.path, '.assay/runs', runId!);
  const summary = readFileSync(join(folder, 'summary.json'));
  rmSync(join(folder, 'summary.json'));
  const stateWith = async (writer: object): Promise<string> => {
    writeFileSync(join(folder, 'live.json'), JSON.stringify({ writer, running: [] }));
    return (await view.json<RunNow>(`/api/runs/${runId}`)).run.state;
  };
  const writer = ownIdentity();
  expect(await stateWith(writer)).toBe('running');
  if (existsSync('/proc/self/stat'))
    expect(await stateWith({ ...writer, start_ticks: '1' })).toBe('broken_off');
  expect(await stateWith({ ...writer, pid: 999_999_999 })).toBe('broken_off');
  // Of another machine only its heartbeat is known.
  expect(await stateWith({ ...writer, host: 'elsewhere' })).toBe('running');
  expect(await stateWith([])).toBe('broken_off');
  rmSync(join(folder, 'live.json'));
  writeFileSync(join(folder, 'summary.json'), summary);
});

test('--view serves during the run, prints its URL on stderr, and ends with the run if there is no terminal', async () => {
  const command = ['run', 'slow.test.yaml', '--agent', './agent.mjs', '--reporter', 'json', '--view'];
  const running = await startView(project.path, [], { command });
  child = running.child;
  const ended = new Promise((resolve) => running.child.once('close', resolve));
  const [runId] = project.runIds().slice(-1);
  expect(running.address).toBe(`${running.origin}/?token=${running.token}#/runs/${runId}`);
  expect(await running.json(`/api/runs/${runId}`)).toMatchObject({ run: { state: 'running' } });
  expect(await ended).toBe(1);
  expect(JSON.parse(running.printed.stdout)).toMatchObject({ run_id: runId, summary: { tests: 6 } });
});

test('--view is refused for a run that is not recorded', async () => {
  const args = ['run', 'all.test.yaml', '--agent', './agent.mjs', '--view', '--no-record'];
  const { exitCode, stderr } = await runCli(args, { cwd: project.path });
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining('--view needs a recorded run: remove --no-record'),
  ]);
});

/** A run of six slow tests, begun so far that one of them is running. */
async function startSlowRun(): Promise<{ runId: string; ended: ReturnType<typeof runCli> }> {
  const before = project.runIds().length;
  const ended = startCli(['run', 'slow.test.yaml', '--agent', './agent.mjs'], {
    cwd: project.path,
    onStart: (started) => (child = started),
  });
  await until(() => project.runIds().length > before);
  const runId = project.runIds().at(-1)!;
  await until(() => existsSync(livePath(runId)) && readFileSync(livePath(runId), 'utf8').includes('slow-'));
  return { runId, ended };
}

function livePath(runId: string): string {
  return join(project.path, '.assay/runs', runId, 'live.json');
}

async function readEvents(path: string): Promise<{ readonly name: string; readonly data: unknown }[]> {
  const text = await (await view.get(path)).text();
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)].map(([, name, data]) => ({
    name: name!,
    data: JSON.parse(data!) as unknown,
  }));
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await delay(20);
}
