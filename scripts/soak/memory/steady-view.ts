import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProject, runCli } from '../../../test/project.ts';
import { manyTests } from './many-tests.ts';
import { ProbedProcess } from './probed-process.ts';
import type { SteadyOptions, SteadyPart } from './steady-part.ts';

/** Older ones are removed: a page over more runs has more to hold. */
const MOST_RUNS = 10;
const REST_MS = 20;
const RUN_EVERY_MS = 2000;
const TESTS = 100;

/** The page, from which everything is requested again and again while runs come and go. */
export async function steadyView({ durationMs, everyMs }: SteadyOptions): Promise<SteadyPart> {
  const project = createProject({
    'many.eval.yaml': manyTests(TESTS),
    'agent.mjs': AGENT,
  });
  const end = Date.now() + durationMs;
  let requests = 0;
  const problems: string[] = [];
  let process: ProbedProcess | undefined;
  try {
    await addRun(project.path);
    let announce: (address: string) => void;
    const address = new Promise<string>((resolve) => (announce = resolve));
    process = new ProbedProcess(['view', '--no-open'], {
      cwd: project.path,
      everyMs,
      onOutput: (text) => announce(/^http\S+/.exec(text)?.[0] ?? ''),
    });
    const { origin, searchParams } = new URL(await address);
    const get = async (path: string): Promise<string> => {
      const headers = { authorization: `Bearer ${searchParams.get('token')}` };
      const response = await fetch(`${origin}/api/${path}`, { headers });
      requests++;
      const text = await response.text();
      // A run may be removed while it is requested.
      if (response.status !== 200 && response.status !== 404)
        problems.push(`${path}: ${response.status} ${text}`);
      return text;
    };
    const ask = async (): Promise<void> => {
      while (Date.now() < end) await askForAll(get);
    };
    const add = async (): Promise<void> => {
      while (Date.now() < end) {
        await addRun(project.path);
        await sleep(RUN_EVERY_MS);
      }
    };
    await Promise.all([ask(), add()]);
    const exitCode = await process.end();
    if (exitCode !== 0) problems.push(`it ended with ${exitCode}: ${process.stderr}`);
    const samples = process.samples();
    return {
      name: 'view',
      samples,
      work: { count: requests, of: 'requests' },
      problems: problems.slice(0, 5),
    };
  } finally {
    process?.kill();
    project.remove();
  }
}

const AGENT = `
export const agent = (input) => ({ output: Number(input) % 3 === 0 ? 'wrong '.repeat(2000) : 'right ' + Math.random() });
`;

async function askForAll(get: (path: string) => Promise<string>): Promise<void> {
  const { runs } = JSON.parse(await get('runs')) as {
    readonly runs: readonly { readonly run_id: string }[];
  };
  const run = runs[Math.floor(Math.random() * runs.length)]?.run_id ?? '';
  const test = `t${Math.floor(Math.random() * TESTS)}`;
  const paths = [
    `runs/${run}`,
    `runs/${run}/results`,
    `runs/${run}/results/${Math.floor(Math.random() * TESTS)}`,
    `runs/${run}/events`,
    `history?file=many.eval.yaml&test=${test}&target=.%2Fagent.mjs`,
    'flaky',
    `compare?a=${runs.at(-1)?.run_id}&b=${run}`,
  ];
  for (const path of paths) {
    await get(path);
    await sleep(REST_MS);
  }
}

async function addRun(project: string): Promise<void> {
  await runCli(['run', '--agent', './agent.mjs'], { cwd: project });
  const folder = join(project, '.assay', 'runs');
  for (const name of readdirSync(folder).toSorted().slice(0, -MOST_RUNS))
    rmSync(join(folder, name), { recursive: true });
}
