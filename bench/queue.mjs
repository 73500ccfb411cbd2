// Runs over workers on a queue, on one machine: how near slow attempts come to the ideal, what the queue costs an attempt,
// and how fast ones compare with a local run. Only `npm run bench queue` runs it: it needs redis-server (Debian:
// apt-get install redis-server). BENCH_ATTEMPTS, BENCH_FAST and BENCH_WORKERS (1,2,4,8) change the sizes.
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, compare, count, row, withProject } from './measure.mjs';

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

export function benchQueue() {
  const files = {
    'slow.mjs': SLOW_AGENT,
    'fast.mjs': FAST_AGENT,
    'slow.jsonl': dataset(ATTEMPTS),
    'fast.jsonl': dataset(FAST),
  };
  return withProject(files, async (folder) => {
    const port = await freePort();
    const redis = await startRedis(port, folder);
    try {
      const place = { folder, url: `redis://127.0.0.1:${port}` };
      const rows = [];
      for (const workers of WORKERS) rows.push(await slowRow(workers, place));
      return [...rows, await fastRow(place)];
    } finally {
      redis.kill('SIGKILL');
    }
  });
}

async function slowRow(workers, place) {
  const { seconds, peakMb } = await onQueue({ ...place, workers, slots: SLOTS, suite: 'slow' });
  const ideal = (ATTEMPTS * ATTEMPT_MS) / 1000 / (workers * SLOTS);
  const cost = ((seconds - ideal) * 1e6 * workers * SLOTS) / ATTEMPTS;
  return row(
    `queue: ${count(ATTEMPTS)} attempts of ${ATTEMPT_MS} ms, ${workers} x ${SLOTS} at once, against nothing but waiting`,
    ideal,
    seconds,
    { target: '1.11x', note: `${count(cost)} µs of a slot per attempt, ${peak(peakMb)}` },
  );
}

async function fastRow(place) {
  const { local, queue } = await compare(
    {
      local: () => locally({ ...place, suite: 'fast' }),
      queue: () => onQueue({ ...place, workers: 2, slots: 1, suite: 'fast' }),
    },
    3,
  );
  const cost = (queue.seconds * 1e6) / FAST;
  return row(
    `queue: ${count(FAST)} fast attempts by 2 workers, against a local run`,
    local.seconds,
    queue.seconds,
    {
      target: '3x',
      note: `${count(cost)} µs per attempt, ${peak(queue.peakMb)}`,
    },
  );
}

const peak = (peakMb) => `coordinator's peak ${count(peakMb)} MB`;

async function onQueue({ folder, url, workers, slots, suite }) {
  const fleet = Array.from({ length: workers }, () =>
    start(['worker', '--queue', url, '--concurrency', String(slots)], folder),
  );
  await Promise.all(fleet.map(({ said }) => said('waits for runs')));
  // Workers live long, so their first seconds, in which Node still compiles, are not measured.
  writeFileSync(join(folder, 'warm-up.jsonl'), dataset(2500 * workers));
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
  rmSync(runs, { recursive: true });
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

function dataset(lines) {
  const line = (index) =>
    JSON.stringify({
      id: `c${index}`,
      input: `case ${index}`,
      evaluators: [{ type: 'contains', value: 'case' }],
    });
  return Array.from({ length: lines }, (_, index) => `${line(index)}\n`).join('');
}

async function startRedis(port, folder) {
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder];
  const redis = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((ready, fail) => {
    redis.once('error', (cause) => fail(new Error('this part needs redis-server', { cause })));
    redis.once('exit', (code) => fail(new Error(`redis-server ended with ${code}`)));
    redis.stdout.on('data', (text) => String(text).includes('Ready to accept connections') && ready());
  });
  return redis;
}

async function freePort() {
  const server = createServer();
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address();
  await new Promise((closed) => server.close(closed));
  return port;
}
