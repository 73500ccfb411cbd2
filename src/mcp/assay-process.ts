import { CONFINEMENT_VARIABLE, type Confinement } from '../suites/load/confinement.ts';
import { PARENT_VARIABLE } from '../agents/processes/end-with-parent.ts';
import { runProcess } from '../agents/processes/run-process.ts';

export interface AssayResult {
  readonly stdout: string;
  readonly stderr: string;
  /** Undefined if it was stopped. */
  readonly exitCode: number | undefined;
  /** Why it was stopped. */
  readonly stopped?: 'aborted' | 'flooded' | undefined;
}

export type RunAssay = (
  args: readonly string[],
  signal: AbortSignal,
  /** For a command that executes something: what it may be. */
  fixed?: Confinement['fixed'],
) => Promise<AssayResult>;

interface AssayProcessOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly root: string;
  /** With `--trust-config`: the configs that commands which only read may execute. */
  readonly trusted: Confinement['fixed'];
}

/**
 * Runs commands of this program in processes of their own: each reads the files as they are now, and an agent that
 * blocks, prints or crashes cannot reach the server.
 */
export function createAssayProcess(
  program: readonly string[],
  { env, root, trusted }: AssayProcessOptions,
): RunAssay {
  const quiet = { ...env, NO_COLOR: '1', FORCE_COLOR: '0', GITHUB_ACTIONS: '', [PARENT_VARIABLE]: 'stdin' };
  const pool = new ProcessPool();
  const trust = trusted === undefined ? [] : ['--trust-config'];
  return async ([command = '', ...args], signal, fixed = trusted) => {
    const confinement: Confinement = { root, ...(fixed && { fixed }) };
    const start = (): ReturnType<typeof runProcess> =>
      runProcess([...program, command, ...trust, ...args], {
        cwd: process.cwd(),
        env: { ...quiet, [CONFINEMENT_VARIABLE]: JSON.stringify(confinement) },
        signal,
      });
    const result = await pool.run(start);
    const { stdout, stderr, ended } = result;
    if (ended === 'exited') return { stdout, stderr, exitCode: result.code ?? undefined };
    return { stdout, stderr, exitCode: undefined, stopped: ended === 'flooded' ? 'flooded' : 'aborted' };
  };
}

/** One of them may be a run, which takes long; the others read, and are quick. */
const MOST_PROCESSES = 4;

/** A client may send any number of calls at once: the others wait for their turn. */
class ProcessPool {
  private free = MOST_PROCESSES;
  private readonly waiting: (() => void)[] = [];

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((admit) => this.waiting.push(admit));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.free++;
      else next();
    }
  }
}
