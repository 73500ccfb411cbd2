import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import { isJsonList, isJsonObject, type JsonObject } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import type { RecordingProblem } from '../../evidence/recordings/recording.ts';
import { splitLines } from '../../suites/load/read-lines.ts';
import { ListSplitter } from './list-splitter.ts';
import { isZip, zippedJson } from './zipped-json.ts';

/** An object of a file: a line, an item of a list, or the whole. */
export interface FileValue {
  readonly value: JsonObject;
  readonly line: number;
}

type Report = (problem: RecordingProblem) => void;

const CHUNK_BYTES = 512 * 1024;
/** A string of Node is not longer. */
const DOCUMENT_BYTES = 500 * 1024 * 1024;
/** More than real logs reach: what is smaller than this unpacked is not checked. */
const UNPACKED_BYTES = 64 * 1024 * 1024;
const MOST_RATIO = 200;

/** The objects of a file of JSON lines, a JSON list, or one JSON document, packed or not, as they are read. */
export async function* readValues(file: string, report: Report): AsyncGenerator<readonly FileValue[]> {
  let handle: FileHandle;
  try {
    // Opening a FIFO would wait for a writer.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return report({
      code: 'unreadable',
      message: `the file cannot be read: ${(error as Error).message}`,
      line: 1,
    });
  }
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) return report({ code: 'not_a_file', message: 'not a regular file', line: 1 });
    const start = Buffer.alloc(4);
    await handle.read(start, 0, 4, 0);
    if (isZip(start)) return yield* zippedJson(handle, stats.size, report);
    yield* valuesOf(chunksOf(handle, start, stats.size), file, report);
  } catch (error) {
    report({
      code: 'unreadable',
      message: `the file cannot be read to its end: ${(error as Error).message}`,
      line: 1,
    });
  } finally {
    await handle.close();
  }
}

async function* chunksOf(handle: FileHandle, start: Buffer, size: number): AsyncGenerator<Buffer> {
  const most = Math.max(UNPACKED_BYTES, size * MOST_RATIO);
  const unpack = await unpackerFor(start, most);
  if (unpack === undefined) {
    for (let position = 0; ;) {
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(CHUNK_BYTES),
        0,
        CHUNK_BYTES,
        position,
      );
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }
  const packed = handle.createReadStream({ start: 0, autoClose: false });
  packed.on('error', (error) => unpack.destroy(error));
  let bytes = 0;
  try {
    for await (const chunk of packed.pipe(unpack)) {
      bytes += (chunk as Buffer).length;
      if (bytes > most) throw new Error('it unpacks to far more than a log has');
      yield chunk as Buffer;
    }
  } finally {
    // Whoever only recognises the format reads no further than its start.
    packed.destroy();
  }
}

/** Undefined: the file is not packed. */
async function unpackerFor(start: Buffer, most: number): Promise<Transform | undefined> {
  if (start[0] === 0x1f && start[1] === 0x8b) return zlib.createGunzip({ chunkSize: CHUNK_BYTES });
  if (start.readUInt32LE(0) !== 0xfd2fb528) return undefined;
  const { createZstdDecompress } = zlib as {
    readonly createZstdDecompress?: (options: zlib.ZlibOptions) => Transform;
  };
  if (createZstdDecompress !== undefined) return createZstdDecompress({ chunkSize: CHUNK_BYTES });
  const { createZstdUnpacker } = await import('./unpack-zstd.ts');
  return createZstdUnpacker(most);
}

async function* valuesOf(
  chunks: AsyncGenerator<Buffer>,
  file: string,
  report: Report,
): AsyncGenerator<readonly FileValue[]> {
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const text = first.toString('latin1').trimStart();
  if (text.startsWith('[')) return yield* itemsOf(first, chunks, report);
  if (isOneDocument(text)) return yield* documentOf(first, chunks, report);
  let isFirst = true;
  const next = async (): Promise<Buffer> => {
    if (isFirst) {
      isFirst = false;
      return first;
    }
    const { value } = await chunks.next();
    return value ?? Buffer.alloc(0);
  };
  for await (const batch of splitLines(next, file)) {
    const values: FileValue[] = [];
    for (const { text: line, line: number, finding } of batch) {
      if (finding !== undefined) report({ ...finding, line: number });
      else if (line !== '' && line !== '\r') put(values, line, number, report);
    }
    yield values;
  }
}

/** A text whose first line is no JSON of its own, although the line ends. */
function isOneDocument(text: string): boolean {
  const end = text.indexOf('\n');
  if (!text.startsWith('{') || end === -1) return false;
  const line = text.slice(0, end).trim();
  return line === '{' || !line.endsWith('}');
}

async function* itemsOf(
  first: Buffer,
  chunks: AsyncGenerator<Buffer>,
  report: Report,
): AsyncGenerator<readonly FileValue[]> {
  const splitter = new ListSplitter();
  for (
    let chunk: Buffer | undefined = first;
    chunk !== undefined;
    chunk = (await chunks.next()).value ?? undefined
  ) {
    const values: FileValue[] = [];
    for (const { bytes, line } of splitter.add(chunk)) put(values, bytes.toString('utf8'), line, report);
    yield values;
  }
  if (!splitter.isComplete)
    report({ code: 'invalid_json', message: 'the list breaks off', line: splitter.line });
}

async function* documentOf(
  first: Buffer,
  chunks: AsyncGenerator<Buffer>,
  report: Report,
): AsyncGenerator<readonly FileValue[]> {
  const parts = [first];
  let bytes = first.length;
  for await (const chunk of chunks) {
    parts.push(chunk);
    bytes += chunk.length;
    if (bytes > DOCUMENT_BYTES)
      return report({
        code: 'too_large',
        message: 'one JSON document of more than 500 MB',
        hint: 'export it as JSON lines',
        line: 1,
      });
  }
  const decoded = decodeUtf8(Buffer.concat(parts));
  const values: FileValue[] = [];
  if ('text' in decoded) put(values, decoded.text, 1, report);
  else
    report({
      code: 'invalid_utf8',
      message: `the byte at offset ${decoded.invalidAt} is not valid UTF-8`,
      line: 1,
    });
  yield values;
}

function put(values: FileValue[], text: string, line: number, report: Report): void {
  try {
    const value = parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
    if (isJsonObject(value)) values.push({ value, line });
    // Some tools write a list of events per line.
    else if (isJsonList(value))
      for (const item of value) if (isJsonObject(item)) values.push({ value: item, line });
  } catch (error) {
    report({ code: 'invalid_json', message: `not valid JSON: ${(error as Error).message}`, line });
  }
}
