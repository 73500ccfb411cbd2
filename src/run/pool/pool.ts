import { batchesOf } from './batched.ts';
import { monotonicMs, nextTurn } from '../../base/system/system-time.ts';

/** Tasks that never wait would keep timers and signals waiting for longer than this. */
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
  const source = new BatchedSource(items);
  let turnedAt = monotonicMs();
  const worker = async (): Promise<void> => {
    while (!signal.aborted) {
      const taking = source.take();
      const { done, value } = taking instanceof Promise ? await taking : taking;
      if (done === true || signal.aborted) return;
      await task(value);
      if (monotonicMs() - turnedAt < TURN_MS) continue;
      await nextTurn();
      turnedAt = monotonicMs();
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, size) }, worker));
  } finally {
    // If one failed, the others start nothing new.
    await source.close();
  }
}

/** Hands out items one by one: at once while there are some, otherwise to one caller after the other. */
class BatchedSource<T> {
  private readonly batches: AsyncIterator<Iterable<T>>;
  private batch: Iterator<T> = [][Symbol.iterator]();
  private last: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(items: AsyncIterable<T>) {
    this.batches = batchesOf(items)[Symbol.asyncIterator]();
  }

  take(): IteratorResult<T> | Promise<IteratorResult<T>> {
    const next = this.next();
    if (next !== undefined) return next;
    // A generator cannot answer two calls at once. A waiting caller wakes up for its own item, not for every item.
    const later = this.last.then(() => this.takeLater());
    this.last = later.catch(() => undefined);
    return later;
  }

  async close(): Promise<void> {
    this.isOver = true;
    await this.batches.return?.();
  }

  private async takeLater(): Promise<IteratorResult<T>> {
    for (;;) {
      const next = this.next();
      if (next !== undefined) return next;
      const { done, value } = await this.batches.next();
      if (done === true) this.isOver = true;
      else this.batch = value[Symbol.iterator]();
    }
  }

  /** Undefined if the next batch must be requested. */
  private next(): IteratorResult<T> | undefined {
    if (this.isOver) return { done: true, value: undefined };
    const next = this.batch.next();
    return next.done === true ? undefined : next;
  }
}
