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
  let batch: Iterator<T> = nothing();
  let coming: Promise<boolean> | undefined;
  let turnedAt = performance.now();

  const nextBatch = async (): Promise<boolean> => {
    try {
      const { done, value } = await source.next();
      if (done !== true) batch = value[Symbol.iterator]();
      return done !== true;
    } finally {
      coming = undefined;
    }
  };
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const { done, value } = batch.next();
      if (done !== true) await task(value);
      // Asked for once, whoever needs it: a generator cannot answer two calls at once.
      else if (!(await (coming ??= nextBatch()))) return;
      if (performance.now() - turnedAt < TURN_MS) continue;
      await nextTurn();
      turnedAt = performance.now();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, size) }, worker));
  } finally {
    // When one failed, the others begin nothing new.
    batch = nothing();
    await source.return?.();
  }
}

function nothing<T>(): Iterator<T> {
  return ([] as T[])[Symbol.iterator]();
}
