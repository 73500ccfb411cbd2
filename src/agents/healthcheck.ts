import { dirname, resolve } from 'node:path';
import { lastLines } from './processes/capture.ts';
import { describeExit } from './processes/run-process.ts';
import type { AgentPrograms } from './agent-programs.ts';
import { explainFailure } from './connection-failure.ts';
import { AgentError } from './contract.ts';

/** How to know that an agent is ready: a URL that answers, or a command that exits with 0. */
export interface Healthcheck {
  readonly url?: string | undefined;
  readonly command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

interface HealthcheckPlace {
  readonly name: string;
  readonly cwd?: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly programs: AgentPrograms;
}

const TIMEOUT_MS = 30_000;

/** Checks once, before the first call; every call waits for it. */
export function createHealthcheck(
  check: Healthcheck | undefined,
  place: HealthcheckPlace,
): (file: string, signal: AbortSignal) => Promise<void> {
  let checked: Promise<void> | undefined;
  return (file, signal) => {
    if (check === undefined) return Promise.resolve();
    checked ??= checkOnce(check, place, { file, signal }).catch((error: unknown) => {
      // The next call, which may be a retry, checks again.
      checked = undefined;
      throw error;
    });
    return checked;
  };
}

async function checkOnce(
  check: Healthcheck,
  { name, cwd, env, programs }: HealthcheckPlace,
  { file, signal }: { file: string; signal: AbortSignal },
): Promise<void> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(check.timeoutMs ?? TIMEOUT_MS)]);
  try {
    if (check.url !== undefined) {
      const response = await fetch(check.url, { signal: limit });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`${check.url} answered ${response.status}`);
    }
    if (check.command !== undefined) {
      const folder = resolve(dirname(file), check.cwd ?? cwd ?? '.');
      const finished = await programs.run(['/bin/sh', '-c', check.command], {
        cwd: folder,
        env,
        input: '',
        signal: limit,
      });
      const problem = describeExit(finished);
      if (problem !== undefined)
        throw new Error(
          `the command ${problem}: ${lastLines(finished.stderr) || lastLines(finished.stdout)}`,
        );
    }
  } catch (error) {
    // `fetch` keeps the reason of a failed connection in the cause.
    const { message, cause } = error as Error;
    const failure =
      cause instanceof Error && check.url !== undefined
        ? explainFailure(error, new URL(check.url))
        : undefined;
    const why = failure === undefined ? message : `${failure.problem}\n${failure.hint}`;
    throw new AgentError('infrastructure', `the health check of ${name} failed: ${why}`, { cause: error });
  }
}
