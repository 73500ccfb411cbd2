import { OUTPUT_LIMIT_BYTES } from './processes/limits.ts';
import type { ProcessGroup } from './processes/process-group.ts';
import { runProcess, type RunProcessOptions, type WatchedExit } from './processes/run-process.ts';
import { SpawnError } from './processes/spawn-error.ts';
import { AgentError } from './contract.ts';
import { stoppedError } from './stopped-error.ts';

export interface Exited extends WatchedExit {
  readonly stdout: string;
  readonly stderr: string;
  /** The bytes of stdout, if they are not valid UTF-8. */
  readonly invalidStdout?: Buffer | undefined;
}

/** The running programs of an agent. */
export class AgentPrograms {
  private readonly running = new Set<ProcessGroup>();

  /**
   * Runs a program until it exits. Rejects with an AgentError if it does not start, prints too much, or is stopped.
   */
  async run(argv: readonly string[], options: Omit<RunProcessOptions, 'onStart'>): Promise<Exited> {
    let group: ProcessGroup | undefined;
    const onStart = (started: ProcessGroup): void => {
      group = started;
      this.running.add(started);
    };
    try {
      const result = await runProcess(argv, { ...options, onStart });
      if (result.ended === 'exited') return result;
      throw cutError(result, options);
    } catch (error) {
      throw asAgentError(error);
    } finally {
      if (group !== undefined) this.running.delete(group);
    }
  }

  /** Ends those that still run. */
  async close(): Promise<void> {
    await Promise.all([...this.running].map((group) => group.stop()));
  }
}

/** A program that does not start is an infrastructure failure. */
export function asAgentError(error: unknown): unknown {
  return error instanceof SpawnError
    ? new AgentError('infrastructure', error.message, { cause: error })
    : error;
}

function cutError(
  { ended, stderr: printed }: { readonly ended: 'aborted' | 'late' | 'flooded'; readonly stderr: string },
  { signal, timeoutMs = 0 }: Pick<RunProcessOptions, 'signal' | 'timeoutMs'>,
): AgentError {
  if (ended === 'aborted') return stoppedError(signal, printed);
  if (ended === 'late')
    return new AgentError('timeout', `the command took longer than ${timeoutMs / 1000} s`, { printed });
  const limit = `${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`;
  return new AgentError('limit', `the agent printed more than ${limit} in one step: print less`, {
    printed,
  });
}
