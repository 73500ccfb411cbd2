import { hashText } from '../../base/match/hash-text.ts';

/**
 * Remembers the line of each id, in 12 bytes per id: a dataset may have millions of them. It keeps 64 bits of hash
 * instead of the id, so two different ids of one file collide once in ten million files of a million lines.
 */
export class IdTable {
  /** Most files have a few tests, and there may be many files. */
  private capacity = 8;
  private size = 0;
  private high = new Uint32Array(this.capacity);
  private low = new Uint32Array(this.capacity);
  private lines = new Uint32Array(this.capacity);

  /** The line where the id was used before, or undefined after remembering this one. Lines count from 1. */
  add(id: string, line: number): number | undefined {
    const [high, low] = hashText(id);
    const slot = this.find(high, low);
    if (this.lines[slot] !== 0) return this.lines[slot];
    this.put(slot, { high, low, line });
    if (++this.size * 2 > this.capacity) this.grow();
    return undefined;
  }

  private find(high: number, low: number): number {
    let slot = low & (this.capacity - 1);
    while (this.lines[slot] !== 0 && (this.high[slot] !== high || this.low[slot] !== low)) {
      slot = (slot + 1) & (this.capacity - 1);
    }
    return slot;
  }

  private put(slot: number, { high, low, line }: { high: number; low: number; line: number }): void {
    this.high[slot] = high;
    this.low[slot] = low;
    this.lines[slot] = line;
  }

  private grow(): void {
    const { high, low, lines, capacity } = this;
    this.capacity = capacity * 2;
    this.high = new Uint32Array(this.capacity);
    this.low = new Uint32Array(this.capacity);
    this.lines = new Uint32Array(this.capacity);
    for (let slot = 0; slot < capacity; slot++) {
      if (lines[slot] === 0) continue;
      const entry = { high: high[slot]!, low: low[slot]!, line: lines[slot]! };
      this.put(this.find(entry.high, entry.low), entry);
    }
  }
}
