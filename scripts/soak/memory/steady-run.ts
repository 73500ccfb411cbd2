import { createWriteStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProject } from '../../../test/project.ts';
import { FEWEST_SAMPLES } from './growth.ts';
import { ProbedProcess } from './probed-process.ts';
import type { SteadyOptions, SteadyPart } from './steady-part.ts';

/** More tests than are made in the time. */
const TESTS_PER_SECOND = { function: 300, command: 60, http: 300 };
const BIG = 1_000_000;

export interface SteadyRunOptions extends SteadyOptions {
  /** A statement that the function agent executes with each call, in the process that is measured. */
  readonly planted?: string;
  readonly target?: keyof typeof TESTS_PER_SECOND;
}

/**
 * One run of very many attempts by an agent, which answers rightly, wrongly, hugely, late and not at all. One target: a run of several
 * keeps some numbers of each test for the table of its targets, and grows with the tests.
 */
export async function steadyRun({
  durationMs,
  everyMs,
  planted = '',
  target = 'function',
}: SteadyRunOptions): Promise<SteadyPart> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const behaviour = (JSON.parse(body) as { readonly input: string }).input.split(' ')[0]!;
      if (behaviour === 'fail') return void response.writeHead(500).end('broken');
      if (behaviour === 'hang') return undefined;
      return void response.end(JSON.stringify({ output: ANSWERS[behaviour] ?? 'right' }));
    });
  });
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const project = createProject({
    'assay.config.yaml': CONFIG.replace('PORT', String(port)).replace('ISOLATE', String(planted === '')),
    'agent.mjs': FUNCTION.replace('PLANTED', planted),
    'agent.sh': COMMAND,
  });
  let process: ProbedProcess | undefined;
  try {
    await writeDataset(
      join(project.path, 'many.jsonl'),
      Math.ceil((durationMs / 1000) * TESTS_PER_SECOND[target]) * 2,
    );
    process = new ProbedProcess(
      ['run', 'many.jsonl', '--target', target, '--timeout', '10s', '--retry', '1'],
      {
        cwd: project.path,
        everyMs,
      },
    );
    const isOver = await Promise.race([
      process.ended.then(() => true),
      untilSampled(process, { durationMs, everyMs }),
    ]);
    const exitCode = await process.end();
    const count = attemptsIn(project.path);
    return {
      name: `run of ${target}`,
      samples: process.samples(),
      work: { count, of: 'attempts' },
      problems:
        !isOver && exitCode === 130 && count > 0
          ? []
          : [`it ended with ${exitCode} after ${count} attempts: ${process.stderr}`],
    };
  } finally {
    process?.kill();
    server.closeAllConnections();
    server.close();
    project.remove();
  }
}

/** A busy machine takes longer to take enough samples. */
async function untilSampled(process: ProbedProcess, { durationMs, everyMs }: SteadyOptions): Promise<false> {
  await sleep(durationMs);
  const last = Date.now() + 4 * durationMs;
  while (process.samples().length < FEWEST_SAMPLES && Date.now() < last) await sleep(everyMs);
  return false;
}

const ANSWERS: Readonly<Record<string, string>> = {
  wrong: 'wrong',
  big: 'x'.repeat(BIG),
};

const CONFIG = `targets:
  - { name: function, agent: ./agent.mjs, isolate: ISOLATE, workers: 8 }
  - { name: command, command: [sh, agent.sh], workers: 2 }
  - { name: http, url: "http://127.0.0.1:PORT/", workers: 6 }
`;

const FUNCTION = `
export const workers = 8;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export async function agent(input) {
  PLANTED
  const [behaviour, number] = input.split(' ');
  await sleep(30);
  if (behaviour === 'fail') throw new Error('broken ' + number);
  if (behaviour === 'hang') await new Promise(() => {});
  if (behaviour === 'big') return { output: 'x'.repeat(${BIG}) + number, memory: { big: 'y'.repeat(${BIG / 10}) } };
  if (behaviour === 'garbage') return { output: 7 };
  if (behaviour === 'print') console.log('printed '.repeat(1000));
  return { output: behaviour === 'wrong' ? 'wrong ' + number : 'right', tools_used: ['look_up'] };
}`;

const COMMAND = `request=$(cat)
case "$request" in
  *'"input":"fail '*) echo broken >&2; exit 1 ;;
  *'"input":"hang '*) exec sleep 60 ;;
  *'"input":"big '*) head -c ${BIG} /dev/zero | tr '\\\\0' x ;;
  *'"input":"wrong '*) echo wrong ;;
  *) echo right ;;
esac
`;

/** Of a thousand tests, so many behave so; the others are right. Few fail: the terminal lists failures at the end, and keeps some words of each. */
const SHARES = { wrong: 20, fail: 10, garbage: 5, print: 20, big: 4, hang: 1 };

async function writeDataset(path: string, tests: number): Promise<void> {
  const file = createWriteStream(path);
  for (let index = 0; index < tests; index++) {
    const behaviour = pick(SHARES, (index * 619) % 1000) ?? 'right';
    const test = {
      id: `test ${index}`,
      input: `${behaviour} ${index}`,
      evaluators: [{ name: 'right', type: 'contains', value: 'right' }],
    };
    if (!file.write(`${JSON.stringify(test)}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}

function pick(shares: Readonly<Record<string, number>>, number: number): string | undefined {
  let left = number;
  return Object.keys(shares).find((name) => (left -= shares[name]!) < 0);
}

function attemptsIn(project: string): number {
  const runs = join(project, '.assay', 'runs');
  if (!existsSync(runs)) return 0;
  const file = join(runs, readdirSync(runs)[0]!, 'summary.json');
  if (!existsSync(file)) return 0;
  const { summary } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly summary: { readonly attempts: number };
  };
  return summary.attempts;
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
