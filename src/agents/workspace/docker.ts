import { AgentError } from '../../evidence/reply/agent-error.ts';
import { lastLines } from '../processes/capture.ts';
import { runProcess } from '../processes/run-process.ts';
import { SpawnError } from '../processes/spawn-error.ts';

const LIMIT_MS = 600_000;

/** Runs the program `docker`, and returns what it prints. Throws an AgentError. */
export async function runDocker(args: readonly string[], signal: AbortSignal): Promise<string> {
  const result = await runProcess(['docker', ...args], {
    cwd: process.cwd(),
    env: process.env,
    input: '',
    signal,
    timeoutMs: LIMIT_MS,
  }).catch((error: unknown) => {
    if (!(error instanceof SpawnError)) throw error;
    throw new AgentError('config', '`environment.docker` cannot be enforced: `docker` is not installed');
  });
  if (result.ended === 'exited' && result.code === 0) return result.stdout.trim();
  const said = lastLines(result.stderr) || lastLines(result.stdout);
  throw new AgentError(
    'config',
    `\`environment.docker\`: docker ${args[0]} failed${said === '' ? '' : `:\n${said}`}`,
  );
}

/** Ends a container that may still run. That it is gone already is fine. */
export async function removeContainer(name: string): Promise<void> {
  await runDocker(['rm', '--force', name], new AbortController().signal).catch(() => {});
}
