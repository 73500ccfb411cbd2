export interface LineReaderEvents {
  onLine(line: string): void;
  /** A line is longer than the limit; nothing is read after it. */
  onFlood(): void;
}

/** Lines of text from chunks of any size. */
export class LineReader {
  private readonly limit: number;
  private readonly events: LineReaderEvents;
  private begun: Buffer[] = [];
  private begunBytes = 0;
  private isFlooded = false;

  constructor(limit: number, events: LineReaderEvents) {
    this.limit = limit;
    this.events = events;
  }

  add(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.begin(chunk.subarray(start, end));
      if (this.isFlooded) return;
      this.events.onLine(this.takeLine());
      start = end + 1;
    }
    if (start < chunk.length) this.begin(chunk.subarray(start));
  }

  private begin(part: Buffer): void {
    this.begunBytes += part.length;
    if (this.isFlooded) return;
    this.begun.push(part);
    if (this.begunBytes <= this.limit) return;
    this.isFlooded = true;
    this.begun = [];
    this.events.onFlood();
  }

  private takeLine(): string {
    const [only] = this.begun;
    const line = this.begun.length === 1 ? only! : Buffer.concat(this.begun);
    this.begun = [];
    this.begunBytes = 0;
    return line.toString('utf8');
  }
}

const NEWLINE = 0x0a;
