/** Items that arrive in batches: a step of an async iterator costs as much as a fast test. */
export class Batched<T> implements AsyncIterable<T> {
  readonly batches: AsyncIterable<Iterable<T>>;

  constructor(batches: AsyncIterable<Iterable<T>>) {
    this.batches = batches;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const batch of this.batches) yield* batch;
  }
}

/** Turns any items into batches, possibly of one each. */
export function batchesOf<T>(items: AsyncIterable<T>): AsyncIterable<Iterable<T>> {
  return items instanceof Batched ? (items as Batched<T>).batches : singly(items);
}

async function* singly<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[]> {
  for await (const item of items) yield [item];
}
