import { Worker } from 'node:worker_threads';
import type { SchemaCheck } from '../../base/model/schema-check.ts';
import { startTimer, stopTimer } from '../../base/system/system-time.ts';
import { builtFile } from '../../agents/processes/built-file.ts';

export interface SchemaRequest {
  /** A JSON Schema, as JSON. */
  readonly schema: string;
  /** The JSON that is checked. */
  readonly output: string;
}

export type SchemaResponse = { readonly check: SchemaCheck } | { readonly problem: string };

const LIMIT_MS = 10_000;
const LIMIT_MB = 256;

/**
 * Checks JSON against the schemas of suites in a separate thread: a schema of a few lines can need unlimited time
 * or memory, and a thread can be terminated. Starts on first use; one check at a time.
 */
export class SchemaChecker {
  private worker: Worker | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** Rejects if the schema is not valid, or if the check takes too long or needs too much memory. */
  check(request: SchemaRequest, signal: AbortSignal): Promise<SchemaCheck> {
    const checked = this.last.then(() => this.checkNow(request, signal));
    this.last = checked.catch(() => {});
    return checked;
  }

  private checkNow(request: SchemaRequest, signal: AbortSignal): Promise<SchemaCheck> {
    signal.throwIfAborted();
    const worker = (this.worker ??= startThread());
    let release = (): void => {};
    return new Promise<SchemaCheck>((resolve, reject) => {
      const onEnd = (): void => reject(new Error('the thread that checks schemas has ended'));
      const onError = (error: NodeJS.ErrnoException): void => reject(describeEnd(error));
      const onAbort = (): void => reject(signal.reason as Error);
      const onMessage = (response: SchemaResponse): void =>
        resolve('check' in response ? response.check : Promise.reject(new InvalidSchema(response.problem)));
      const timer = startTimer(
        () => reject(new Error(`it takes longer than ${LIMIT_MS / 1000} s`)),
        LIMIT_MS,
      );
      signal.addEventListener('abort', onAbort);
      worker.ref();
      worker.on('exit', onEnd).on('error', onError).on('message', onMessage).postMessage(request);
      release = () => {
        stopTimer(timer);
        signal.removeEventListener('abort', onAbort);
        worker.off('exit', onEnd).off('error', onError).off('message', onMessage).unref();
      };
    })
      .catch((error: unknown) => {
        // The state of the thread is unknown.
        if (!(error instanceof InvalidSchema)) this.abandon(worker);
        throw error;
      })
      .finally(() => release());
  }

  private abandon(worker: Worker): void {
    this.worker = undefined;
    // A thread that runs out of memory while it is terminated emits an error.
    worker.on('error', () => {});
    void worker.terminate();
  }
}

class InvalidSchema extends Error {}

function startThread(): Worker {
  return new Worker(builtFile('schema-thread'), {
    resourceLimits: { maxOldGenerationSizeMb: LIMIT_MB, maxYoungGenerationSizeMb: 32 },
    // Output of the thread is dropped.
    stdout: true,
    stderr: true,
  });
}

function describeEnd(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return error;
  return new Error(`it needs more than ${LIMIT_MB} MB of memory`);
}
