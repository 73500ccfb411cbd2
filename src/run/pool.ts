/** Runs a task for each item, at most `size` at once, until the items end or the signal aborts. */
export async function runPool<T>(
  items: AsyncIterable<T> | Iterable<T>,
  { size, signal }: { readonly size: number; readonly signal: AbortSignal },
  task: (item: T) => Promise<unknown>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let next: Promise<unknown> = Promise.resolve();
  let ended = false;

  // Iterators are asked one after the other, whoever asks: a generator cannot answer two calls at once.
  const take = (): Promise<IteratorResult<T>> => {
    const result = next.then(() => source.next());
    next = result.catch(() => undefined);
    return result;
  };
  const worker = async (): Promise<void> => {
    while (!ended && !signal.aborted) {
      const { done, value } = await take();
      if (done === true) {
        ended = true;
        return;
      }
      if (!signal.aborted) await task(value);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.max(1, size) }, worker));
  } finally {
    ended = true;
    await source.return?.();
  }
}
