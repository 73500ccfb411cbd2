/**
 * The output of a process, up to a limit. Beyond the limit only the last lines are kept: they explain a crash. It
 * keeps bytes, not decoded text, since a chunk may end inside a character.
 */
export class Capture {
  /** Everything that arrived, kept or not. */
  received = 0;
  private readonly limit: number;
  private head: Buffer[] = [];
  private headBytes = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private cutBytes = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(chunk: Buffer): void {
    this.received += chunk.length;
    const room = this.limit - this.headBytes;
    if (chunk.length <= room) {
      this.head.push(chunk);
      this.headBytes += chunk.length;
      return;
    }
    if (room > 0) this.head.push(chunk.subarray(0, room));
    this.headBytes = this.limit;
    this.addToTail(chunk.subarray(room));
  }

  get isCut(): boolean {
    return this.cutBytes + this.tailBytes > 0;
  }

  /** What was kept before the limit. */
  bytes(): Buffer {
    return Buffer.concat(this.head);
  }

  text(): string {
    const head = this.bytes().toString('utf8');
    if (!this.isCut) return head;
    const cut = this.cutBytes > 0 ? `\n[${this.cutBytes.toLocaleString('en')} bytes cut]\n` : '';
    return head + cut + Buffer.concat(this.tail).toString('utf8');
  }

  /** The text so far; later output starts a new one. */
  take(): string {
    if (this.headBytes === 0 && !this.isCut) return '';
    const text = this.text();
    this.head = [];
    this.tail = [];
    this.headBytes = this.tailBytes = this.cutBytes = 0;
    return text;
  }

  private addToTail(chunk: Buffer): void {
    this.tail.push(chunk);
    this.tailBytes += chunk.length;
    while (this.tailBytes - this.tail[0]!.length >= TAIL_BYTES) {
      const gone = this.tail.shift()!;
      this.tailBytes -= gone.length;
      this.cutBytes += gone.length;
    }
  }
}

const TAIL_BYTES = 4096;

/** The last lines, for an error message. */
export function lastLines(text: string, count = 10): string {
  const lines = text.slice(-TAIL_BYTES).trimEnd().split('\n');
  return lines.slice(-count).join('\n');
}
