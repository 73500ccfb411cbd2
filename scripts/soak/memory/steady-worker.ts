import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createProject, runCli } from '../../../test/project.ts';
import { startRedis } from '../../../test/servers/redis-server.ts';
import { manyTests } from './many-tests.ts';
import { ProbedProcess } from './probed-process.ts';
import type { SteadyOptions, SteadyPart } from './steady-part.ts';

const TESTS = 200;

/** A worker that serves run after run. */
export async function steadyWorker({ durationMs, everyMs }: SteadyOptions): Promise<SteadyPart> {
  const redis = await startRedis();
  const project = createProject({
    'many.eval.yaml': manyTests(TESTS),
    'agent.mjs': AGENT,
  });
  const problems: string[] = [];
  let runs = 0;
  let worker: ProbedProcess | undefined;
  try {
    worker = new ProbedProcess(['worker', '--queue', redis.url, '--agent', './agent.mjs'], {
      cwd: project.path,
      everyMs,
    });
    for (const end = Date.now() + durationMs; Date.now() < end; runs++) {
      const args = ['run', '--agent', './agent.mjs', '--queue', redis.url, '--worker-wait', '60s'];
      const { exitCode, stderr } = await runCli(args, { cwd: project.path });
      if (exitCode !== 1) problems.push(`a run ended with ${exitCode}: ${stderr.slice(-500)}`);
      rmSync(join(project.path, '.assay', 'runs'), {
        recursive: true,
        force: true,
      });
    }
    await worker.end();
    return {
      name: 'worker',
      samples: worker.samples(),
      work: { count: runs, of: 'runs' },
      problems: problems.slice(0, 5),
    };
  } finally {
    worker?.kill();
    await redis.stop();
    project.remove();
  }
}

const AGENT = `
export const workers = 8;
export async function agent(input) {
  if (input.endsWith('7')) throw new Error('broken');
  return { output: input === '100' ? 'x'.repeat(1_000_000) : input.endsWith('3') ? 'wrong' : 'right' };
}
`;
