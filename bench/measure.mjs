// Runs programs and says how long they took and how much memory they had at their peak.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { mkdirSync } from 'node:fs';

export const CLI = resolve('dist/cli.cjs');

const REPORT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('\\nPEAK_KB='+process.resourceUsage().maxRSS+'\\n'))`;

/** One run of a Node program: seconds, and peak memory in MB. A program that fails ends the benchmark. */
export function runNode(args, { cwd, expect = [0], env = {} } = {}) {
  const options = { cwd, expect, env: { ...process.env, ...env } };
  return runProgram(process.execPath, ['--import', REPORT_PEAK, ...args], options);
}

export async function runProgram(program, args, { cwd, expect = [0], env } = {}) {
  const start = performance.now();
  const child = spawn(program, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr, status] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise((done, fail) => child.on('close', done).on('error', fail)),
  ]);
  const seconds = (performance.now() - start) / 1000;
  if (!expect.includes(status))
    throw new Error(
      `${program} ${args.join(' ')} ended with ${status}\n${stdout.slice(-2000)}${stderr.slice(-2000)}`,
    );
  // The process of an agent tells its own too: the larger one counts.
  const peaks = [...stderr.matchAll(/PEAK_KB=(\d+)/g)].map(([, kilobytes]) => Number(kilobytes));
  return { seconds, peakMb: peaks.length === 0 ? undefined : Math.max(...peaks) / 1024, stdout };
}

async function read(stream) {
  const chunks = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** The best of interleaved rounds: whatever else the machine does only makes them slower. */
export async function compare(contestants, rounds) {
  const runs = Object.fromEntries(Object.keys(contestants).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contestants)) runs[name].push(await run());
  }
  return Object.fromEntries(Object.entries(runs).map(([name, all]) => [name, bestRun(all)]));
}

function bestRun(runs) {
  return runs.reduce((best, run) => (run.seconds < best.seconds ? run : best));
}

/** A project in a temporary folder, given to `use` and removed after it. */
export async function withProject(files, use) {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    for (const [name, text] of Object.entries({ 'package.json': '{"type":"module"}', ...files })) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A row of the one table: what Assay took against what the bare work took. */
export function row(what, bare, assay, { target, note = '', unit = seconds } = {}) {
  const ratio = assay / bare;
  return {
    what,
    bare: unit(bare),
    assay: unit(assay),
    ratio: `${ratio.toFixed(2)}x`,
    target: target ?? '',
    note,
  };
}

export const seconds = (value) => (value < 1 ? `${Math.round(value * 1000)} ms` : `${value.toFixed(2)} s`);

export const count = (value) => Math.round(value).toLocaleString('en');

export function table(rows) {
  const columns = [...new Set(rows.flatMap((each) => Object.keys(each)))];
  return [
    `| ${columns.join(' | ')} |`,
    `|${columns.map(() => '---').join('|')}|`,
    ...rows.map((each) => `| ${columns.map((column) => each[column] ?? '').join(' | ')} |`),
  ].join('\n');
}
