import { Capture } from './capture.ts';
import { AgentError, OUTPUT_LIMIT_BYTES } from './contract.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from './process-group.ts';
import { stoppedError } from './stopped-error.ts';

export interface RunProcessOptions extends ProcessOptions {
  /** For its stdin. */
  readonly input: string;
  readonly signal: AbortSignal;
  /** Told of the group, which may outlive a rejected promise by the grace it is given. */
  readonly onStart?: (group: ProcessGroup) => unknown;
}

export interface Finished extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. Rejects with an AgentError when it does not start, prints too much, or is stopped. */
export async function runProcess(
  argv: readonly string[],
  { input, signal, onStart, ...options }: RunProcessOptions,
): Promise<Finished> {
  if (signal.aborted) throw stoppedError(signal);
  const group = await ProcessGroup.start(argv, ['pipe', 'pipe', 'pipe'], options);
  onStart?.(group);
  const { stdin, stdout, stderr } = group.child;
  const printed = new Capture(OUTPUT_LIMIT_BYTES);
  const complaints = new Capture(OUTPUT_LIMIT_BYTES);
  let onAbort!: () => void;
  const stopped = new Promise<never>((_, reject) => {
    onAbort = () => reject(stoppedError(signal, complaints.text()));
    stdout!.on('data', (chunk: Buffer) => {
      printed.add(chunk);
      if (printed.isCut) reject(floodError(complaints.text()));
    });
  });
  stderr!.on('data', (chunk: Buffer) => complaints.add(chunk));
  // A program that does not read its input is no problem: the group swallows the EPIPE.
  stdin!.end(input);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    const exit = await Promise.race([group.ended, stopped]);
    return { ...exit, stdout: printed.text(), stderr: complaints.text() };
  } catch (error) {
    void group.stop();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function floodError(printed: string): AgentError {
  const limit = `${OUTPUT_LIMIT_BYTES / 1024 / 1024} MB`;
  return new AgentError('limit', `the agent printed more than ${limit} in one step: let it print less`, {
    printed,
  });
}

/** How a program ended that did not end well, or undefined. */
export function describeExit({ code, signal }: Exit): string | undefined {
  if (signal !== null) return `was killed by ${signal}`;
  return code === 0 ? undefined : `exited with code ${code}`;
}
