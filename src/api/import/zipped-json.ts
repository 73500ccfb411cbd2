import type { FileHandle } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import { isJsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { RecordingProblem } from '../../evidence/recordings/recording.ts';
import type { FileValue } from './read-values.ts';

const END_RECORD = 0x06054b50;
const CENTRAL_RECORD = 0x02014b50;
/** The longest comment, and the record itself. */
const END_BYTES = 65_535 + 22;
const ENTRY_BYTES = 256 * 1024 * 1024;

export function isZip(start: Buffer): boolean {
  return start.readUInt32LE(0) === 0x04034b50;
}

/** The JSON files of an archive that hold what was recorded: `.eval` logs of Inspect are such archives. */
export async function* zippedJson(
  handle: FileHandle,
  size: number,
  report: (problem: RecordingProblem) => void,
): AsyncGenerator<readonly FileValue[]> {
  const entries = await entriesOf(handle, size);
  const wanted = entries.filter(({ name }) => /^(header|samples\/.*)\.json$/.test(name));
  // The header names the model of all samples.
  for (const entry of wanted.toSorted(
    (a, b) => Number(b.name === 'header.json') - Number(a.name === 'header.json'),
  )) {
    try {
      const value = parseJson((await contentOf(handle, entry)).toString('utf8'));
      if (isJsonObject(value)) yield [{ value, line: 1 }];
    } catch (error) {
      report({
        code: 'invalid_json',
        message: `${entry.name} in the archive cannot be read: ${(error as Error).message}`,
        line: 1,
      });
    }
  }
}

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: number;
  readonly at: number;
}

async function entriesOf(handle: FileHandle, size: number): Promise<readonly ZipEntry[]> {
  const tail = await read(handle, Math.max(0, size - END_BYTES), Math.min(size, END_BYTES));
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END_RECORD) end--;
  if (end < 0) throw new Error('the archive breaks off');
  const directory = await read(handle, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === CENTRAL_RECORD;) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    entries.push({
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      at: directory.readUInt32LE(at + 42),
    });
    at += 46 + name + extra + comment;
  }
  return entries;
}

async function contentOf(handle: FileHandle, { method, packed, at }: ZipEntry): Promise<Buffer> {
  const head = await read(handle, at, 30);
  const bytes = await read(handle, at + 30 + head.readUInt16LE(26) + head.readUInt16LE(28), packed);
  if (method === 0) return bytes;
  if (method !== 8) throw new Error('it is packed in a way that Assay does not read');
  return inflateRawSync(bytes, { maxOutputLength: ENTRY_BYTES });
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(Math.min(length, ENTRY_BYTES));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
  return buffer.subarray(0, bytesRead);
}
