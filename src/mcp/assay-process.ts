import { PARENT_VARIABLE } from '../processes/end-with-parent.ts';
import { runProcess } from '../processes/run-process.ts';

export interface AssayResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if it was stopped. */
  readonly exitCode: number | undefined;
  /** Why it was stopped. */
  readonly stopped?: 'aborted' | 'flooded' | undefined;
}

export type RunAssay = (args: readonly string[], signal: AbortSignal) => Promise<AssayResult>;

/**
 * Runs commands of this program in processes of their own: each reads the files as they are now, and an agent that
 * blocks, prints or crashes cannot reach the server.
 */
export function createAssayProcess(
  program: readonly string[],
  { env, trustConfig }: { readonly env: NodeJS.ProcessEnv; readonly trustConfig: boolean },
): RunAssay {
  const quiet = { ...env, NO_COLOR: '1', FORCE_COLOR: '0', GITHUB_ACTIONS: '', [PARENT_VARIABLE]: 'stdin' };
  const trust = trustConfig ? ['--trust-config'] : [];
  return async ([command = '', ...args], signal) => {
    const result = await runProcess([...program, command, ...trust, ...args], {
      cwd: process.cwd(),
      env: quiet,
      signal,
    });
    const { stdout, stderr, ended } = result;
    if (ended === 'exited') return { stdout, stderr, exitCode: result.code ?? undefined };
    return { stdout, stderr, exitCode: undefined, stopped: ended === 'flooded' ? 'flooded' : 'aborted' };
  };
}
