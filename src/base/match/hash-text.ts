/** A 64-bit hash of texts, to recognise them, not to protect them. */
export class TextHash {
  private a = 0xdeadbeef;
  private b = 0x41c6ce57;

  add(text: string): void {
    let { a, b } = this;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    this.a = a;
    this.b = b;
  }

  /** An integer of 32 bits. */
  addNumber(number: number): void {
    this.a = Math.imul(this.a ^ number, 2654435761);
    this.b = Math.imul(this.b ^ number, 1597334677);
  }

  /** As two halves. */
  halves(): readonly [number, number] {
    let { a, b } = this;
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return [a >>> 0, b >>> 0];
  }

  hex(): string {
    const [high, low] = this.halves();
    return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
  }
}

export function hashText(text: string): readonly [number, number] {
  const hash = new TextHash();
  hash.add(text);
  return hash.halves();
}

export function hashHex(text: string): string {
  const hash = new TextHash();
  hash.add(text);
  return hash.hex();
}
