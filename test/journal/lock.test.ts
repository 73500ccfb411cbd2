import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { afterEach, describe, expect, test } from 'vitest';
import { createProject, startCli } from '../project.ts';
import { recordedTests, runFolders, until } from '../run-folders.ts';
import { trackProcesses } from '../track-processes.ts';

const cleanUps: (() => void)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

const TESTS = 8;
const ALL = Array.from({ length: TESTS }, (_, index) => `t${index}`);
/** The agent notes each call, so that what ran twice is known; one that finds `wait` waits for ever at t3. */
const AGENT = `
import { appendFileSync, existsSync } from 'node:fs';
export async function agent(input) {
  appendFileSync('calls.log', input + '\\n');
  if (input === 't3' && existsSync('wait')) await new Promise((resolve) => setTimeout(resolve, 60_000));
  await new Promise((resolve) => setTimeout(resolve, 20));
  return { output: input };
}`;
const RUN = ['run', '--agent', './agent.mjs', '--reporter', 'json'];

function project(files: Record<string, string> = {}): string {
  const tests = ALL.map((id) => `- id: ${id}\n  input: ${id}\n  assert: {output.includes: t}\n`);
  const created = createProject({ 'agent.mjs': AGENT, 'suite.test.yaml': tests.join(''), ...files });
  cleanUps.push(() => created.remove());
  return created.path;
}

const lockOf = (cwd: string): string => join(runFolders(cwd)[0]!, 'lock');
const calls = (cwd: string): readonly string[] =>
  readFileSync(join(cwd, 'calls.log'), 'utf8').trimEnd().split('\n');

/** Starts a run that is in the middle of t3. Returns a function that kills it with SIGKILL. */
async function startRun(cwd: string, args = RUN): Promise<{ kill(): Promise<void>; readonly pid: number }> {
  writeFileSync(join(cwd, 'wait'), '');
  let child!: ReturnType<typeof spawn>;
  const ended = startCli(args, { cwd, onStart: (started) => (child = started) });
  await until(() => existsSync(join(cwd, 'calls.log')) && calls(cwd).includes('t3'), 'the run to be at t3');
  await until(() => recordedTests(runFolders(cwd)[0]!).includes('t2'), 'the record of t2');
  rmSync(join(cwd, 'wait'));
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  return { kill, pid: child.pid! };
}

/** A killed run, whose lock says something else about its owner. */
async function killedRun(change: (owner: Record<string, unknown>) => unknown): Promise<string> {
  const cwd = project();
  await (await startRun(cwd)).kill();
  const owner = JSON.parse(readFileSync(lockOf(cwd), 'utf8')) as Record<string, unknown>;
  const changed = change(owner);
  writeFileSync(lockOf(cwd), typeof changed === 'string' ? changed : JSON.stringify(changed));
  return cwd;
}

test('resuming a running run gives exit 2, names who holds it, and changes nothing', async () => {
  const cwd = project();
  const run = await startRun(cwd);
  const before = readFileSync(join(runFolders(cwd)[0]!, 'results.jsonl'));
  const refused = await startCli([...RUN, '--resume'], { cwd });
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(
    new RegExp(`the run \\S+ is locked by process ${run.pid} on \\S+, since 20\\d\\d-`),
  );
  expect(refused.stderr).toContain(`kill ${run.pid}`);
  expect(JSON.parse(refused.stdout)).toMatchObject({ exit_code: 2, findings: [{ code: 'run_stopped' }] });
  expect(readFileSync(join(runFolders(cwd)[0]!, 'results.jsonl'))).toEqual(before);
  expect(runFolders(cwd)).toHaveLength(1);
  await run.kill();
});

test('resuming after kill -9 takes over the lock and releases it', async () => {
  const cwd = project();
  await (await startRun(cwd)).kill();
  expect(existsSync(lockOf(cwd))).toBe(true);
  const resumed = await startCli([...RUN, '--resume'], { cwd });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
  expect(recordedTests(runFolders(cwd)[0]!)).toEqual(ALL);
  expect(readdirSync(runFolders(cwd)[0]!).sort()).toEqual(['results.jsonl', 'run.json', 'summary.json']);
});

describe('leftovers of killed processes', () => {
  const HALF_WRITTEN = ['run.json.77.tmp', 'live.json.77.tmp', 'summary.json.77.tmp'];

  test('incomplete files of a run are gone after it was resumed', async () => {
    const cwd = project();
    await (await startRun(cwd)).kill();
    const [folder] = runFolders(cwd);
    for (const name of HALF_WRITTEN) writeFileSync(join(folder!, name), '{"');
    // Somebody's own, and a report that is being written there.
    writeFileSync(join(folder!, 'notes.tmp'), '');
    const report = ['--reporter', `junit=${join(folder!, 'junit.xml')}`];
    expect(await startCli([...RUN, ...report, '--resume'], { cwd })).toMatchObject({
      exitCode: 0,
      stderr: '',
    });
    expect(readdirSync(folder!).sort()).toEqual([
      'junit.xml',
      'notes.tmp',
      'results.jsonl',
      'run.json',
      'summary.json',
    ]);
  });

  test('folders in which no run started are removed by the next start, unless one is about to start', async () => {
    const cwd = project();
    const run = await startRun(cwd);
    const alive = readFileSync(lockOf(cwd), 'utf8');
    const token = '0123456789abcdef01234567';
    const dead = JSON.stringify({ ...JSON.parse(alive), pid: 2 ** 22 + 1 });
    const begin = (name: string, files: Readonly<Record<string, string>>): void => {
      const folder = join(cwd, '.assay', 'runs', name);
      mkdirSync(folder);
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
    };
    begin('20991231T000000-000-0000000a', { lock: dead, 'run.json.77.tmp': '{"' });
    // Also what is older than other runs.
    begin('20010101T000000-000-00000000', { lock: dead });
    begin('20010101T000000-000-00000001', { [`draft-${token}`]: '' });
    begin('20010101T000000-000-00000002', { [`draft-${token}`]: '' });
    const old = new Date(Date.now() - 3_600_000);
    utimesSync(join(cwd, '.assay', 'runs', '20010101T000000-000-00000001', `draft-${token}`), old, old);
    begin('20991231T000000-000-0000000b', { [`draft-${token}`]: dead });
    begin('20991231T000000-000-0000000c', { lock: alive });
    begin('20991231T000000-000-0000000d', { lock: dead, [`draft-${token}`]: alive });
    begin('20991231T000000-000-0000000e', {});
    begin('20991231T000000-000-0000000f', {});
    utimesSync(join(cwd, '.assay', 'runs', '20991231T000000-000-0000000f'), old, old);
    begin('notes', { lock: dead });
    expect((await startCli(RUN, { cwd })).exitCode).toBe(0);
    await run.kill();
    const left = readdirSync(join(cwd, '.assay', 'runs')).filter((name) => /^2099|^2001|^n/.test(name));
    expect(left.map((name) => name.at(-1)).sort()).toEqual(['2', 'c', 'd', 'e', 's']);
  });
});

test('only one of five concurrent resumes continues, and nothing runs twice', async () => {
  const cwd = project();
  await (await startRun(cwd)).kill();
  // The one that holds the lock waits at t3 until the others have been refused.
  writeFileSync(join(cwd, 'wait'), '');
  let refused = 0;
  const resumes = Array.from({ length: 5 }, async () => {
    let child!: ReturnType<typeof spawn>;
    const result = await startCli([...RUN, '--resume'], {
      cwd,
      onStart(started) {
        child = started;
        void until(() => refused === 4).then(() => child.kill('SIGINT'));
      },
    });
    if (result.exitCode === 2) refused++;
    return result;
  });
  const results = await Promise.all(resumes);
  expect(results.map(({ exitCode }) => exitCode).sort()).toEqual([130, 2, 2, 2, 2]);
  rmSync(join(cwd, 'wait'));
  expect((await startCli([...RUN, '--resume'], { cwd })).exitCode).toBe(0);
  expect(recordedTests(runFolders(cwd)[0]!)).toEqual(ALL);
  // Called by the killed run, by the one that went on, and by the last.
  expect(calls(cwd).filter((id) => id === 't3')).toHaveLength(3);
  expect(calls(cwd).filter((id) => id !== 't3')).toEqual(ALL.filter((id) => id !== 't3'));
});

test('an interrupted run leaves no lock', async () => {
  const cwd = project();
  writeFileSync(join(cwd, 'wait'), '');
  const { exitCode } = await startCli(RUN, {
    cwd,
    onStart: (child) =>
      void until(() => existsSync(join(cwd, 'calls.log')) && calls(cwd).includes('t3')).then(() =>
        child.kill('SIGINT'),
      ),
  });
  expect(exitCode).toBe(130);
  expect(existsSync(lockOf(cwd))).toBe(false);
});

test('processes that a killed run left running are ended before it is resumed', async () => {
  const cwd = project({ 'agent.sh': 'echo t3 >> calls.log; exec sleep 60' });
  const tracked = trackProcesses();
  const run = startCli(['run', '--agent', 'cmd: sh agent.sh'], {
    cwd,
    env: tracked.env,
    onStart: (child) =>
      void until(() => existsSync(join(cwd, 'calls.log'))).then(() => child.kill('SIGKILL')),
  });
  await run;
  expect(tracked.living()).toContain('sleep 60');
  await startCli([...RUN, '--resume'], { cwd });
  expect(await tracked.orphans()).toEqual([]);
});

describe('the lock of a process that cannot be checked', () => {
  test('on another host: exit 2, and a hint', async () => {
    const cwd = await killedRun((owner) => ({ ...owner, host: 'elsewhere', pid: 1 }));
    const refused = await startCli([...RUN, '--resume'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('is locked by process 1 on elsewhere');
    expect(refused.stderr).toContain(`delete ${lockOf(cwd)} and resume again`);
    rmSync(lockOf(cwd));
    expect((await startCli([...RUN, '--resume'], { cwd })).exitCode).toBe(0);
    expect(recordedTests(runFolders(cwd)[0]!)).toEqual(ALL);
  });

  test('in another container, which may use the same process ids', async () => {
    const cwd = await killedRun((owner) => ({ ...owner, pid_namespace: 'pid:[1]' }));
    const refused = await startCli([...RUN, '--resume'], { cwd });
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('delete') as unknown });
  });

  test.each([
    ['half a lock', '{"pid": 1'],
    ['no lock of ours', '{"pid": 1, "token": "../../x"}'],
  ])('%s: exit 2, and a hint', async (_, text) => {
    const cwd = await killedRun(() => text);
    const refused = await startCli([...RUN, '--resume'], { cwd });
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain(`delete ${lockOf(cwd)}`);
  });
});

describe('a reused process id', () => {
  test('is detected by the start time of the process', async () => {
    const cwd = await killedRun((owner) => ({ ...owner, pid: process.pid }));
    expect((await startCli([...RUN, '--resume'], { cwd })).exitCode).toBe(0);
  });

  test('is detected by the boot time of the machine', async () => {
    const cwd = await killedRun((owner) => ({ ...owner, pid: process.pid, boot_id: 'before' }));
    expect((await startCli([...RUN, '--resume'], { cwd })).exitCode).toBe(0);
  });
});

test('the lock is never held twice by processes that take it and are killed, over and over', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-lock-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({ input: resolve('src/runs/journal/run-lock.ts'), platform: 'node' });
  await bundle.write({ dir: folder, entryFileNames: 'lock.mjs' });
  await bundle.close();
  writeFileSync(join(folder, 'contender.mjs'), CONTENDER);
  const totals = { deaths: 0, holds: 0, violations: [] as string[] };
  await Promise.all(Array.from({ length: 6 }, () => contend(folder, totals)));
  expect(totals.violations).toEqual([]);
}, 60_000);

/** Takes the lock many times, checks that nobody else has it, and dies every now and then: holding it, or on the way. */
const CONTENDER = `
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { RunLock } from './lock.mjs';
const die = () => process.kill(process.pid, 'SIGKILL');
const isAlive = (pid) => {
  try { return !/^State:\\s+Z/m.test(readFileSync('/proc/' + pid + '/status', 'utf8')); } catch { return false; }
};
while (!existsSync('done')) {
  if (Math.random() < 0.03) setImmediate(die), await new Promise((resolve) => setTimeout(resolve, 1));
  let lock;
  try {
    lock = RunLock.acquire(process.cwd());
  } catch (error) {
    if (error.name !== 'RunLockedError') console.log('violation ' + error.stack);
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
    continue;
  }
  let holder = 0;
  try { holder = Number(readFileSync('holder', 'utf8')); } catch {}
  if (holder > 0 && isAlive(holder)) console.log('violation: ' + holder + ' holds it too');
  writeFileSync('holder', String(process.pid));
  console.log('held');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
  if (Math.random() < 0.15) die();
  if (Number(readFileSync('holder', 'utf8')) !== process.pid) console.log('violation: somebody else came');
  rmSync('holder');
  lock.release();
}
`;

/** Starts a contender again whenever it was killed, until there were enough deaths and holds. */
async function contend(
  cwd: string,
  totals: { deaths: number; holds: number; readonly violations: string[] },
): Promise<void> {
  while (!existsSync(join(cwd, 'done'))) {
    const child = spawn(process.execPath, ['contender.mjs'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      totals.holds += text.split('held').length - 1;
      if (text.includes('violation')) totals.violations.push(text);
      if (totals.deaths >= 20 && totals.holds >= 80) writeFileSync(join(cwd, 'done'), '');
    });
    await new Promise((done) => child.on('close', done));
    if (child.signalCode === 'SIGKILL') totals.deaths++;
  }
}
