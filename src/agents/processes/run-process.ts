import { isUtf8 } from 'node:buffer';
import { Capture } from './capture.ts';
import { OUTPUT_LIMIT_BYTES } from './limits.ts';
import type { StdinWatch } from './stdin-watch.ts';
import { ProcessGroup, type Exit, type ProcessOptions } from './process-group.ts';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';

export interface RunProcessOptions extends ProcessOptions {
  /** For its stdin. A program may ignore it. Without it, stdin stays open until the program ends. */
  readonly input?: string;
  /** Tells whether it read its input. */
  readonly stdinWatch?: StdinWatch | undefined;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** Called with the group, so that it can be stopped from elsewhere. */
  readonly onStart?: (group: ProcessGroup) => unknown;
}

/** How a program ended: by itself, or because the signal aborted, time ran out, or it printed too much. */
export type ProcessResult =
  | ({
      readonly ended: 'exited';
      readonly stdout: string;
      readonly stderr: string;
      /** The bytes of stdout, if they are not valid UTF-8. */
      readonly invalidStdout?: Buffer | undefined;
    } & WatchedExit)
  | { readonly ended: Cut; readonly stdout: string; readonly stderr: string };

export interface WatchedExit extends Exit {
  /** False: the program did not read its input to the end. Undefined: nobody knows. */
  readonly isInputRead?: boolean | undefined;
}

type Cut = 'aborted' | 'late' | 'flooded';

/** Runs a program to its end. Nothing of its group is left afterwards. Throws a SpawnError if it does not start. */
export async function runProcess(
  argv: readonly string[],
  { input, stdinWatch, onStart, ...options }: RunProcessOptions,
): Promise<ProcessResult> {
  if (options.signal.aborted) return { ended: 'aborted', stdout: '', stderr: '' };
  const watched = await stdinWatch?.open();
  const group = await ProcessGroup.start(
    argv,
    [watched?.childEnd ?? 'pipe', 'pipe', 'pipe'],
    options,
  ).finally(() => watched?.childEnd.destroy());
  onStart?.(group);
  const { stdout, stderr } = group.child;
  const stdin = watched?.ownEnd ?? group.child.stdin;
  const printed = new Capture(OUTPUT_LIMIT_BYTES);
  const complaints = new Capture(OUTPUT_LIMIT_BYTES);
  stdout!.on('data', (chunk: Buffer) => printed.add(chunk));
  stderr!.on('data', (chunk: Buffer) => complaints.add(chunk));
  const limits = watchLimits(options, (onFlood) => {
    stdout!.on('data', () => printed.isCut && onFlood());
  });
  if (input !== undefined) stdin!.end(input);
  try {
    const end = await Promise.race([group.ended, limits.passed]);
    await group.stop();
    if (typeof end === 'string') return { ended: end, stdout: printed.text(), stderr: complaints.text() };
    const isInputRead = await watched?.isRead();
    const bytes = printed.bytes();
    const invalidStdout = isUtf8(bytes) ? undefined : bytes;
    const texts = { stdout: bytes.toString('utf8'), stderr: complaints.text() };
    return { ended: 'exited', ...end, isInputRead, ...texts, invalidStdout };
  } finally {
    watched?.ownEnd.destroy();
    limits.clear();
  }
}

/** Resolves with the reason if the program must end early. */
function watchLimits(
  { signal, timeoutMs }: Pick<RunProcessOptions, 'signal' | 'timeoutMs'>,
  watchOutput: (onFlood: () => void) => void,
): { readonly passed: Promise<Cut>; clear(): void } {
  let clear!: () => void;
  const passed = new Promise<Cut>((resolve) => {
    const onAbort = (): void => resolve('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const timer = timeoutMs === undefined ? undefined : startTimer(() => resolve('late'), timeoutMs);
    watchOutput(() => resolve('flooded'));
    clear = () => {
      stopTimer(timer);
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { passed, clear };
}

/** How a program failed, or undefined if it did not. */
export function describeExit({ code, signal }: Exit): string | undefined {
  if (signal !== null) return `was killed by ${signal}`;
  return code === 0 ? undefined : `exited with code ${code}`;
}
