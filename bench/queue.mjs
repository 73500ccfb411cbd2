// Runs over workers on a queue, on one machine: how near slow attempts come to the ideal, what the queue costs an attempt,
// and how fast ones compare with a local run. Needs redis-server. BENCH_ATTEMPTS, BENCH_FAST and BENCH_WORKERS (1,2,4,8)
// change the sizes.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const CLI = resolve('dist/cli.js');
const ATTEMPTS = Number(process.env.BENCH_ATTEMPTS ?? 10_000);
const FAST = Number(process.env.BENCH_FAST ?? 100_000);
const WORKERS = (process.env.BENCH_WORKERS ?? '1,2,4,8').split(',').map(Number);
const SLOTS = 16;
const ATTEMPT_MS = 50;

const SLOW_AGENT = `
export const workers = ${SLOTS};
export const agent = (input) => new Promise((resolve) => setTimeout(() => resolve({ output: input }), ${ATTEMPT_MS}));
`;
const FAST_AGENT = 'export const agent = (input) => ({ output: input });';

export async function benchQueue() {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-queue-'));
  const port = await freePort();
  const redis = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', '--dir', folder]);
  try {
    await sleep(500);
    writeFileSync(join(folder, 'package.json'), '{}');
    writeFileSync(join(folder, 'slow.mjs'), SLOW_AGENT);
    writeFileSync(join(folder, 'fast.mjs'), FAST_AGENT);
    writeDataset(join(folder, 'slow.jsonl'), ATTEMPTS);
    writeDataset(join(folder, 'fast.jsonl'), FAST);
    const place = { folder, url: `redis://127.0.0.1:${port}` };
    const rows = [];
    for (const workers of WORKERS) rows.push(await slowRow(workers, place));
    rows.push(...(await fastRows(place)));
    return rows;
  } finally {
    redis.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function slowRow(workers, place) {
  const { seconds, peakMb } = await onQueue({ ...place, workers, slots: SLOTS, suite: 'slow' });
  const ideal = (ATTEMPTS * ATTEMPT_MS) / 1000 / (workers * SLOTS);
  return {
    what: `${ATTEMPTS.toLocaleString('en')} attempts of ${ATTEMPT_MS} ms, ${workers} x ${SLOTS} at once`,
    ideal: `${ideal.toFixed(2)} s`,
    took: `${seconds.toFixed(2)} s`,
    'of ideal': `${Math.round((100 * ideal) / seconds)} %`,
    'per attempt': `${(((seconds - ideal) * 1e6 * workers * SLOTS) / ATTEMPTS).toFixed(0)} µs of a slot`,
    'coordinator at its peak': `${Math.round(peakMb)} MB`,
  };
}

/** Local and queue in turn, so that noise of the machine hits both alike. */
async function fastRows(place) {
  const local = [];
  const queue = [];
  for (let round = 0; round < 3; round++) {
    local.push(await locally({ ...place, suite: 'fast' }));
    queue.push(await onQueue({ ...place, workers: 2, slots: 1, suite: 'fast' }));
  }
  const [here, there] = [median(local), median(queue)];
  const row = ({ seconds, peakMb }, what) => ({
    what: `${FAST.toLocaleString('en')} fast attempts, ${what}`,
    ideal: `${here.seconds.toFixed(2)} s`,
    took: `${seconds.toFixed(2)} s`,
    'of ideal': `${(seconds / here.seconds).toFixed(2)}x of local`,
    'per attempt': `${((seconds * 1e6) / FAST).toFixed(0)} µs`,
    'coordinator at its peak': `${Math.round(peakMb)} MB`,
  });
  return [row(here, 'local'), row(there, '2 workers')];
}

async function onQueue({ folder, url, workers, slots, suite }) {
  const fleet = Array.from({ length: workers }, () =>
    start(['worker', '--queue', url, '--concurrency', String(slots)], folder),
  );
  await Promise.all(fleet.map(({ said }) => said('waits for runs')));
  // Workers live long: what is measured is not their first seconds, in which Node still compiles.
  writeDataset(join(folder, 'warm-up.jsonl'), 2500 * workers);
  const warmUp = ['run', 'warm-up.jsonl', '--agent', './fast.mjs', '--queue', url, '--worker-wait', '30s'];
  await finish(start(warmUp, folder), folder);
  await sleep(1000);
  const run = start(
    ['run', `${suite}.jsonl`, '--agent', `./${suite}.mjs`, '--queue', url, '--worker-wait', '30s'],
    folder,
  );
  const result = await finish(run, folder);
  for (const { child } of fleet) child.kill('SIGTERM');
  await Promise.all(fleet.map(({ ended }) => ended));
  return result;
}

async function locally({ folder, suite }) {
  return finish(start(['run', `${suite}.jsonl`, '--agent', `./${suite}.mjs`], folder), folder);
}

/** The run's own time, without the start of the process, which is the same for all. */
async function finish({ child, ended, output }, folder) {
  let peakMb = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  }, 100);
  const code = await ended;
  clearInterval(watch);
  if (code !== 0) throw new Error(`exit ${code}: ${output()}`);
  const runs = join(folder, '.assay', 'runs');
  const { summary } = JSON.parse(
    readFileSync(join(runs, readdirSync(runs).toSorted().at(-1), 'summary.json'), 'utf8'),
  );
  spawnSync('rm', ['-rf', runs]);
  return { seconds: summary.duration_ms / 1000, peakMb };
}

function start(args, cwd) {
  const child = spawn(process.execPath, [CLI, ...args], { cwd, env: { ...process.env, CI: '' } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (text += bytes));
  return {
    child,
    output: () => text,
    ended: new Promise((resolveEnd) => child.once('close', resolveEnd)),
    async said(wanted) {
      while (!text.includes(wanted)) await sleep(50);
    },
  };
}

function writeDataset(file, lines) {
  const line = (index) =>
    JSON.stringify({
      id: `c${index}`,
      input: `case ${index}`,
      evaluators: [{ type: 'contains', value: 'case' }],
    });
  writeFileSync(file, Array.from({ length: lines }, (_, index) => `${line(index)}\n`).join(''));
}

function median(runs) {
  return runs.toSorted((a, b) => a.seconds - b.seconds)[Math.floor(runs.length / 2)];
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
