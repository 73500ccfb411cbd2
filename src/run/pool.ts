import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchesOf } from './batched.ts';

/** Tasks that never wait would keep timers and signals from their turn for longer than this. */
const TURN_MS = 20;

interface PoolOptions {
  readonly size: number;
  readonly signal: AbortSignal;
}

/** Runs a task for each item, at most `size` at once, until the items end or the signal aborts. */
export async function runPool<T>(
  items: AsyncIterable<T>,
  { size, signal }: PoolOptions,
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  const source = batchesOf(items)[Symbol.asyncIterator]();
  let batch: Iterator<T> = [][Symbol.iterator]();
  let coming: Promise<void> | undefined;
  let ended = false;
  let turnedAt = performance.now();

  // Asked for once, whoever needs it: a generator cannot answer two calls at once.
  const nextBatch = async (): Promise<void> => {
    try {
      const { done, value } = await source.next();
      if (done === true) ended = true;
      else batch = value[Symbol.iterator]();
    } finally {
      coming = undefined;
    }
  };
  const worker = async (): Promise<void> => {
    while (!ended && !signal.aborted) {
      const { done, value } = batch.next();
      if (done === true) await (coming ??= nextBatch());
      else await task(value);
      if (performance.now() - turnedAt < TURN_MS) continue;
      await nextTurn();
      turnedAt = performance.now();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, size) }, worker));
  } finally {
    ended = true;
    await source.return?.();
  }
}
