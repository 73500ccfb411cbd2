import { constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';

const LINE_FEED = 0x0a;
/** Through a link, records would be written to another place. */
const { O_APPEND, O_CREAT, O_RDWR, O_NOFOLLOW } = constants;

/** Opens a file of lines. Half a line that a killed process left is cut off, because it contains nothing whole. */
export function openForLines(path: string): number {
  const file = openSync(path, O_APPEND | O_CREAT | O_RDWR | O_NOFOLLOW, 0o600);
  repairTail(file);
  return file;
}

export function writeAll(file: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(file, bytes, written);
}

function repairTail(file: number): void {
  const { size } = fstatSync(file);
  const chunk = Buffer.alloc(64 * 1024);
  for (let end = size; end > 0;) {
    const start = Math.max(0, end - chunk.length);
    const read = readSync(file, chunk, 0, end - start, start);
    const feed = chunk.subarray(0, read).lastIndexOf(LINE_FEED);
    if (feed !== -1) {
      if (start + feed + 1 < size) ftruncateSync(file, start + feed + 1);
      return;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(file, 0);
}
