import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, inflateSync } from 'node:zlib';

/** A commit is small; more than this of it is not read. */
const MOST_BYTES = 64 * 1024;
const MOST_DELTAS = 50;
const HASH_BYTES = 20;

/**
 * The title of a commit, read from the files of git: no git is started, so nothing that a repository configures is
 * executed. Undefined if it is not found.
 */
export function readCommitTitle(objects: string, revision: string): string | undefined {
  try {
    const commit = readLoose(objects, revision) ?? readPacked(objects, revision)?.toString('utf8');
    const message = commit?.slice(commit.indexOf('\n\n') + 2) ?? '';
    const title = message.trimStart().split('\n', 1)[0]!.trim();
    return title === '' ? undefined : title.slice(0, 200);
  } catch {
    return undefined;
  }
}

function readLoose(objects: string, revision: string): string | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(objects, revision.slice(0, 2), revision.slice(2)));
  } catch {
    return undefined;
  }
  const text = inflate(bytes).toString('utf8');
  return text.startsWith('commit ') ? text.slice(text.indexOf('\0') + 1) : undefined;
}

function readPacked(objects: string, revision: string): Buffer | undefined {
  if (revision.length !== 2 * HASH_BYTES) return undefined;
  const folder = join(objects, 'pack');
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.idx')) continue;
    const path = join(folder, name.slice(0, -'.idx'.length));
    const offset = withFile(`${path}.idx`, (read) => findOffset(read, Buffer.from(revision, 'hex')));
    if (offset !== undefined) return withFile(`${path}.pack`, (read) => readObject(read, offset));
  }
  return undefined;
}

type Read = (offset: number, length: number) => Buffer;

function withFile<T>(path: string, use: (read: Read) => T): T {
  const file = openSync(path, 'r');
  try {
    return use((offset, length) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(file, bytes, 0, length, offset));
    });
  } finally {
    closeSync(file);
  }
}

/** In an index of version 2: a table by the first byte, then the sorted hashes, their checksums and their offsets. */
function findOffset(read: Read, hash: Buffer): number | undefined {
  const header = read(0, 8 + 256 * 4);
  if (header.readUInt32BE(0) !== 0xff744f63 || header.readUInt32BE(4) !== 2) return undefined;
  const countUpTo = (first: number): number => (first < 0 ? 0 : header.readUInt32BE(8 + 4 * first));
  const total = countUpTo(255);
  const hashes = 8 + 256 * 4;
  let [low, high] = [countUpTo(hash[0]! - 1), countUpTo(hash[0]!)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const order = read(hashes + middle * HASH_BYTES, HASH_BYTES).compare(hash);
    if (order === 0) return offsetAt(read, hashes + total * (HASH_BYTES + 4), middle, total);
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

function offsetAt(read: Read, table: number, index: number, total: number): number {
  const offset = read(table + 4 * index, 4).readUInt32BE(0);
  if (offset < 0x80000000) return offset;
  return Number(read(table + 4 * total + 8 * (offset - 0x80000000), 8).readBigUInt64BE(0));
}

/** A commit, or a difference to another one in the same pack. */
function readObject(read: Read, offset: number, deltas = 0): Buffer | undefined {
  if (deltas > MOST_DELTAS) return undefined;
  const bytes = read(offset, MOST_BYTES);
  const type = (bytes[0]! >> 4) & 7;
  let at = 1;
  while ((bytes[at - 1]! & 0x80) !== 0) at++;
  if (type === 1) return inflate(bytes.subarray(at));
  // Only differences by offset: those by hash are in packs that travel, not in those on disk.
  if (type !== 6) return undefined;
  let back = bytes[at]! & 0x7f;
  while ((bytes[at++]! & 0x80) !== 0) back = (back + 1) * 128 + (bytes[at]! & 0x7f);
  const base = readObject(read, offset - back, deltas + 1);
  return base === undefined ? undefined : applyDelta(base, inflate(bytes.subarray(at)));
}

/** Pieces of the base, and new bytes. */
function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  for (let sizes = 0; sizes < 2; sizes++) while ((delta[at++]! & 0x80) !== 0);
  const pieces: Buffer[] = [];
  while (at < delta.length) {
    const code = delta[at++]!;
    if (code < 0x80) {
      pieces.push(delta.subarray(at, at + code));
      at += code;
      continue;
    }
    const part = (first: number, count: number): number => {
      let value = 0;
      for (let bit = 0; bit < count; bit++)
        if ((code & (1 << (first + bit))) !== 0) value += delta[at++]! * 256 ** bit;
      return value;
    };
    const offset = part(0, 4);
    const length = part(4, 3) || 0x10000;
    pieces.push(base.subarray(offset, offset + length));
  }
  return Buffer.concat(pieces);
}

/** The bytes may contain more than the object, or end within it. */
function inflate(bytes: Buffer): Buffer {
  return inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 16 * MOST_BYTES });
}
