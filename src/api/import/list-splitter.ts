interface ListItem {
  readonly bytes: Buffer;
  readonly line: number;
}

const [LINE_FEED, QUOTE, BACKSLASH, COMMA] = [0x0a, 0x22, 0x5c, 0x2c];
const [BRACKET_OPEN, BRACKET_CLOSE, BRACE_OPEN, BRACE_CLOSE] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Cuts a JSON list into its items while it is read. It may be larger than the memory. */
export class ListSplitter {
  isComplete = false;
  line = 1;
  private depth = 0;
  private isInString = false;
  private isEscaped = false;
  private parts: Buffer[] = [];
  private itemLine = 1;

  *add(chunk: Buffer): Generator<ListItem> {
    let start = this.depth > 0 ? 0 : -1;
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index]!;
      if (byte === LINE_FEED) this.line++;
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isInString = false;
        continue;
      }
      if (byte === QUOTE) this.isInString = true;
      else if (byte === BRACKET_OPEN || byte === BRACE_OPEN) {
        if (this.depth++ === 0) start = index + 1;
        else if (this.depth === 2) this.itemLine = this.line;
      } else if (byte === BRACE_CLOSE || (byte === BRACKET_CLOSE && this.depth > 1)) this.depth--;
      else if (this.depth === 1 && (byte === COMMA || byte === BRACKET_CLOSE)) {
        yield* this.item(chunk.subarray(start, index));
        start = index + 1;
        if (byte === BRACKET_CLOSE) {
          this.depth = 0;
          this.isComplete = true;
        }
      }
    }
    if (this.depth > 0 && start < chunk.length) this.parts.push(chunk.subarray(start));
  }

  private *item(end: Buffer): Generator<ListItem> {
    const bytes = Buffer.concat([...this.parts, end]);
    this.parts = [];
    if (bytes.some((byte) => byte > 0x20)) yield { bytes, line: this.itemLine };
  }
}
