import { PartReader } from './part-reader.ts';
import { SpoolFile } from '../files/spool-file.ts';

/** More than this is sorted and goes to the file. */
const MEMORY_BYTES = 4 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;
const NUMBER_BYTES = 8;
const LENGTH_BYTES = 4;

export interface SortedTextsOptions {
  /** How many numbers a key has. */
  readonly width: number;
  /** How two different values of a field compare. By default, the lower number comes first. */
  readonly compare?: ((field: number, a: number, b: number) => number) | undefined;
  readonly memoryBytes?: number | undefined;
}

export interface SortedText {
  /** The first number of its key. */
  readonly key: number;
  readonly text: string;
}

/**
 * Texts in the order of their keys, in memory that does not grow with their number. Parts of a few megabytes are sorted
 * and written to a temporary file, and reading merges them. Texts with equal keys keep the order in which they came.
 */
export class SortedTexts {
  private readonly width: number;
  private readonly compare: NonNullable<SortedTextsOptions['compare']>;
  private readonly memoryBytes: number;
  private file: SpoolFile | undefined;
  /** Where each part in the file starts. */
  private parts: number[] = [];
  /** Items that are not in the file yet: the key, the length of the text, and the text. */
  private waiting = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private taken = 0;
  private starts: number[] = [];

  constructor({ width, compare = lowestFirst, memoryBytes = MEMORY_BYTES }: SortedTextsOptions) {
    this.width = width;
    this.compare = compare;
    this.memoryBytes = memoryBytes;
  }

  /** A text must be well-formed, as JSON always is. */
  add(key: readonly number[], text: string): void {
    const length = Buffer.byteLength(text);
    const needed = this.headBytes + length;
    if (this.taken > 0 && this.taken + needed > this.memoryBytes) this.store();
    if (this.taken + needed > this.waiting.length) this.grow(this.taken + needed);
    let at = this.taken;
    for (let field = 0; field < this.width; field++) at = this.waiting.writeDoubleLE(key[field]!, at);
    at = this.waiting.writeUInt32LE(length, at);
    this.waiting.write(text, at);
    this.starts.push(this.taken);
    this.taken += needed;
  }

  /** Everything that was added so far, as often as you like. Add nothing while you read. */
  *[Symbol.iterator](): Generator<SortedText> {
    // The reader of the next text comes last.
    const readers = this.readers().sort((a, b) => this.byNext(b, a));
    for (let reader = readers.pop(); reader !== undefined; reader = readers.pop()) {
      yield { key: reader.bytes.readDoubleLE(reader.at), text: reader.text() };
      if (reader.advance()) readers.splice(this.placeOf(reader, readers), 0, reader);
    }
  }

  close(): void {
    this.file?.close();
    this.file = undefined;
    this.waiting = Buffer.alloc(0);
    this.taken = 0;
    this.starts = [];
    this.parts = [];
  }

  private get headBytes(): number {
    return this.width * NUMBER_BYTES + LENGTH_BYTES;
  }

  private grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(
      Math.max(needed, Math.min(2 * this.waiting.length, this.memoryBytes)),
    );
    this.waiting.copy(larger, 0, 0, this.taken);
    this.waiting = larger;
  }

  private store(): void {
    this.file ??= new SpoolFile();
    this.parts.push(this.file.size);
    this.file.append(this.sorted());
    this.taken = 0;
    this.starts = [];
    // One text may have been much larger than all the others.
    if (this.waiting.length > this.memoryBytes) this.waiting = Buffer.allocUnsafeSlow(this.memoryBytes);
  }

  /** The items that wait, in order. Tests end nearly in the order of their files, so often nothing moves. */
  private sorted(): Buffer {
    const { waiting, starts } = this;
    const left = { bytes: waiting, at: 0 };
    const right = { bytes: waiting, at: 0 };
    const order = starts.map((_, number) => number);
    order.sort((a, b) => {
      left.at = starts[a]!;
      right.at = starts[b]!;
      return this.byKey(left, right);
    });
    const items = waiting.subarray(0, this.taken);
    if (order.every((number, index) => number === index)) return items;
    const moved = Buffer.allocUnsafeSlow(this.taken);
    let at = 0;
    for (const number of order) at += items.copy(moved, at, starts[number], starts[number + 1] ?? this.taken);
    return moved;
  }

  private readers(): PartReader[] {
    const { file, parts, headBytes } = this;
    const stored = parts.map(
      (start, age) => new PartReader({ file, start, end: parts[age + 1] ?? file!.size, headBytes, age }),
    );
    if (this.taken === 0) return stored;
    const bytes = this.sorted();
    return [...stored, new PartReader({ bytes, start: 0, end: bytes.length, headBytes, age: parts.length })];
  }

  /** Where a reader belongs among the others, of which the next one comes last. */
  private placeOf(reader: PartReader, others: readonly PartReader[]): number {
    let low = 0;
    let high = others.length;
    // Mostly it is the next one again.
    if (high > 0 && this.byNext(reader, others[high - 1]!) < 0) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.byNext(reader, others[middle]!) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private byNext(a: PartReader, b: PartReader): number {
    return this.byKey(a, b) || a.age - b.age;
  }

  private byKey(a: KeyPlace, b: KeyPlace): number {
    for (let field = 0; field < this.width; field++) {
      const left = a.bytes.readDoubleLE(a.at + field * NUMBER_BYTES);
      const right = b.bytes.readDoubleLE(b.at + field * NUMBER_BYTES);
      if (left !== right) return this.compare(field, left, right);
    }
    return 0;
  }
}

/** Where the key of an item starts. */
interface KeyPlace {
  readonly bytes: Buffer;
  readonly at: number;
}

function lowestFirst(_field: number, a: number, b: number): number {
  return a - b;
}
