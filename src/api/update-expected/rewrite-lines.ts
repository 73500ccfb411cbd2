import { createReadStream } from 'node:fs';
import type { Write } from './replace-file.ts';

interface Rewriting {
  /** Which lines, counted from 1. */
  readonly lines: ReadonlySet<number>;
  /** A line with its line feed, and its replacement. */
  rewrite(line: string, number: number): Promise<string>;
  readonly write: Write;
}

const LINE_FEED = 0x0a;

/** Copies a file byte by byte, except for some of its lines. */
export async function rewriteLines(file: string, { lines, rewrite, write }: Rewriting): Promise<void> {
  let number = 1;
  let pending: Buffer[] = [];
  const end = async (): Promise<void> => {
    if (pending.length > 0) write(await rewrite(Buffer.concat(pending).toString('utf8'), number));
    pending = [];
    number++;
  };
  for await (const chunk of createReadStream(file, { highWaterMark: 512 * 1024 }) as AsyncIterable<Buffer>) {
    for (let start = 0; start < chunk.length;) {
      const found = chunk.indexOf(LINE_FEED, start);
      const next = found === -1 ? chunk.length : found + 1;
      const piece = chunk.subarray(start, next);
      if (lines.has(number)) pending.push(piece);
      else write(piece);
      if (found !== -1) await end();
      start = next;
    }
  }
  await end();
}
