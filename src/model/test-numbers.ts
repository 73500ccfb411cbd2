import type { TestName } from './test-map.ts';

/**
 * Finds the numbers of tests by name, in 8 to 16 bytes per test. It keeps only hashes of the names: the caller can
 * check whether a number belongs to the test.
 */
export class TestNumbers {
  private capacity = 1024;
  private size = 0;
  private hashes = new Uint32Array(this.capacity);
  /** The number plus one; 0 for an empty place. */
  private numbers = new Uint32Array(this.capacity);

  get(name: TestName, isIt: (number: number) => boolean): number | undefined {
    const hash = testHash(name);
    for (let slot = hash & (this.capacity - 1); ; slot = (slot + 1) & (this.capacity - 1)) {
      const number = this.numbers[slot]!;
      if (number === 0) return undefined;
      if (this.hashes[slot] === hash && isIt(number - 1)) return number - 1;
    }
  }

  /** For a test that is not in the table yet. */
  add(name: TestName, number: number): void {
    this.put(testHash(name), number + 1);
    if (++this.size * 2 > this.capacity) this.grow();
  }

  private put(hash: number, number: number): void {
    let slot = hash & (this.capacity - 1);
    while (this.numbers[slot] !== 0) slot = (slot + 1) & (this.capacity - 1);
    this.hashes[slot] = hash;
    this.numbers[slot] = number;
  }

  private grow(): void {
    const { hashes, numbers } = this;
    this.capacity *= 2;
    this.hashes = new Uint32Array(this.capacity);
    this.numbers = new Uint32Array(this.capacity);
    for (const [slot, number] of numbers.entries()) if (number !== 0) this.put(hashes[slot]!, number);
  }
}

/** 32 bits. Names that differ only at their ends must not be neighbours, so the bits are mixed once more. */
export function testHash({ file, test, target }: TestName): number {
  const hash = addText(addText(addText(0x811c9dc5, file), target), test);
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

function addText(before: number, text: string): number {
  let hash = before;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash;
}
