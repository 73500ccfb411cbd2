import { quoteName } from '../../base/schema/did-you-mean.ts';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';
import { EvaluatorFileError } from './evaluator-file-error.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** Throws an EvaluatorFileError if it is not a number of milliseconds. */
export function readTimeout(authored: unknown, name: string): number {
  if (authored === undefined || authored === null) return DEFAULT_TIMEOUT_MS;
  if (typeof authored === 'number' && authored >= 1) return authored;
  throw new EvaluatorFileError(
    `\`timeout_ms\` of ${quoteName(name)} must be a number of at least 1, but is ${String(authored)}`,
  );
}

interface TimeLimit {
  readonly name: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Nobody waits for it any more. */
  onLate(): void;
}

/** What an evaluator gives, unless it takes too long or the run is stopped. */
export function withinTime<T>(work: Promise<T>, { name, timeoutMs, signal, onLate }: TimeLimit): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      stopTimer(timer);
      signal.removeEventListener('abort', onAbort);
    };
    const giveUp = (why: string): void => {
      leave();
      onLate();
      reject(new Error(`the evaluator ${quoteName(name)} ${why}`));
    };
    const onAbort = (): void => giveUp('was stopped: the attempt ended before it returned');
    const timer = startTimer(
      () => giveUp(`took longer than ${timeoutMs} ms: set \`timeout_ms\` if it needs more time`),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return onAbort();
    work.then(
      (value) => {
        leave();
        resolve(value);
      },
      (error: unknown) => {
        leave();
        reject(error as Error);
      },
    );
  });
}
