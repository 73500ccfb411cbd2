const BLOCK_BYTES = 4 * 1024 * 1024;
/** In no UTF-8 text, so nothing is found across two records. */
const END = 0xff;

/** The texts of some records in a row. */
interface Block {
  readonly first: number;
  readonly bytes: Buffer;
  /** The offset of each text. */
  readonly starts: number[];
  end: number;
}

/**
 * The texts of a run's records, as a search compares them, in UTF-8 and in few large blocks: half the size of
 * strings, no work for the garbage collector, and one call of the runtime searches many records.
 */
export class FoldedTexts {
  /** How many records it contains: the first ones. */
  count = 0;
  /** How many bytes it takes. */
  bytes = 0;
  private readonly blocks: Block[] = [];
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Adds the text of the next record. False if there is no room. */
  add(text: string): boolean {
    // At most three bytes for a code unit; only if that is too many are they counted.
    const most = 3 * text.length + 1;
    const block = this.roomFor(most) ?? this.roomFor(Buffer.byteLength(text) + 1) ?? this.open(text);
    if (block === undefined) return false;
    block.starts.push(block.end);
    block.end += block.bytes.write(text, block.end);
    block.bytes[block.end++] = END;
    this.count++;
    return true;
  }

  /** For each block in turn, the records in which each word occurs are added to `found`. */
  *find(words: readonly string[], found: readonly number[][]): Generator<void> {
    const bytes = words.map((word) => Buffer.from(word));
    for (const block of this.blocks) {
      for (const [at, word] of bytes.entries()) findIn(block, word, found[at]!);
      yield;
    }
  }

  private roomFor(size: number): Block | undefined {
    const last = this.blocks.at(-1);
    return last !== undefined && last.end + size <= last.bytes.length ? last : undefined;
  }

  private open(text: string): Block | undefined {
    const size = Math.max(BLOCK_BYTES, Buffer.byteLength(text) + 1);
    if (this.bytes + size > this.maxBytes) return undefined;
    const block = { first: this.count, bytes: Buffer.allocUnsafeSlow(size), starts: [], end: 0 };
    this.blocks.push(block);
    this.bytes += size;
    return block;
  }
}

function findIn({ first, bytes, starts, end }: Block, word: Buffer, found: number[]): void {
  const used = bytes.subarray(0, end);
  let record = 0;
  for (let at = used.indexOf(word); at !== -1 && record < starts.length;) {
    while (record + 1 < starts.length && starts[record + 1]! <= at) record++;
    found.push(first + record++);
    at = record < starts.length ? used.indexOf(word, starts[record]) : -1;
  }
}
