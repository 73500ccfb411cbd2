import { isAscii, isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { LIMITS } from '../formats/limits.ts';
import type { Finding } from '../../base/model/finding.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import type { DatasetText } from './dataset-text.ts';
import { fileFinding, SAVE_AS_UTF8, unreadable } from './read-suite-file.ts';
import { unsavedText } from './unsaved-texts.ts';

const CHUNK_BYTES = 512 * 1024;
const LINE_FEED = 0x0a;

/** One line of a file, or why it cannot be read. `line` 0 is about the whole file. */
export interface Line {
  readonly text: string;
  readonly line: number;
  readonly finding?: Finding;
}

/**
 * The lines of a file, in batches of one read each: a step of an async iterator costs more than a line. `known` gets the text of the
 * file; if it has all of it, the file is not read.
 */
export async function* readLines(file: string, known?: DatasetText): AsyncGenerator<Iterable<Line>> {
  const unsaved = unsavedText(file);
  if (unsaved !== undefined) {
    const lines = unsaved.replace(/\n$/, '').split('\n');
    return yield lines.map((text, index) => ({ text, line: index + 1 }));
  }
  if (known?.chunks !== undefined) {
    const chunks = known.chunks.values();
    return yield* splitLines(() => Promise.resolve(chunks.next().value!), file);
  }
  let handle: FileHandle;
  try {
    // Opening a FIFO would wait for a writer; the file type is checked below.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    yield [{ text: '', line: 0, finding: unreadable(file, error) }];
    return;
  }
  try {
    if (!(await handle.stat()).isFile()) {
      yield [{ text: '', line: 0, finding: fileFinding(file, 'not_a_file', 'not a regular file') }];
      return;
    }
    const next = async (): Promise<Buffer> => {
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      const chunk = buffer.subarray(0, bytesRead);
      known?.add(chunk);
      return chunk;
    };
    yield* splitLines(next, file);
  } catch (error) {
    yield [{ text: '', line: 0, finding: unreadable(file, error) }];
  } finally {
    await handle.close();
  }
}

/** `next`: the next piece of the file; an empty one is its end. */
export async function* splitLines(next: () => Promise<Buffer>, file: string): AsyncGenerator<Iterable<Line>> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let line = 1;
  let offset = 0;
  for (;;) {
    let chunk = await next();
    const bytesRead = chunk.length;
    if (pendingBytes > LIMITS.lineBytes) {
      // The rest of a line that is too long is skipped; the lines after it are read.
      const feed = chunk.indexOf(LINE_FEED);
      const rest = feed === -1 ? bytesRead : feed + 1;
      offset += rest;
      if (feed === -1 && bytesRead > 0) continue;
      yield [
        {
          text: '',
          line,
          finding: { ...fileFinding(file, 'too_large', 'a line of more than 64 MB', 'split it'), line },
        },
      ];
      line++;
      chunk = chunk.subarray(rest);
      pendingBytes = 0;
    }
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (bytesRead > 0 && end === 0) {
      pending.push(chunk);
      pendingBytes += chunk.length;
      if (pendingBytes > LIMITS.lineBytes) {
        offset += pendingBytes;
        pending = [];
      }
      continue;
    }
    const whole = Buffer.concat([...pending, bytesRead === 0 ? chunk : chunk.subarray(0, end)]);
    const batch = [...decodeLines(whole, { file, line, offset })];
    yield batch;
    line += batch.length;
    offset += whole.length;
    if (bytesRead === 0) return;
    pending = end < chunk.length ? [chunk.subarray(end)] : [];
    pendingBytes = chunk.length - end;
  }
}

interface BatchStart {
  readonly file: string;
  readonly line: number;
  readonly offset: number;
}

/** Decoding a whole batch at once is several times faster than line by line. */
function* decodeLines(bytes: Buffer, { file, line, offset }: BatchStart): Generator<Line> {
  if (bytes.length === 0) return;
  const body = bytes.at(-1) === LINE_FEED ? bytes.subarray(0, -1) : bytes;
  if (isUtf8(body)) {
    const text = isAscii(body) ? body.toString('latin1') : body.toString('utf8');
    for (const part of text.split('\n')) yield { text: part, line: line++ };
    return;
  }
  for (let start = 0; start <= body.length; line++) {
    const feed = body.indexOf(LINE_FEED, start);
    const end = feed === -1 ? body.length : feed;
    const decoded = decodeUtf8(body.subarray(start, end));
    if ('text' in decoded) yield { text: decoded.text, line };
    else {
      const message = `the byte at offset ${offset + start + decoded.invalidAt} is not valid UTF-8`;
      const column =
        [...body.toString('utf8', start, start + decoded.invalidAt).replace(/^\uFEFF/, '')].length + 1;
      yield {
        text: '',
        line,
        finding: { ...fileFinding(file, 'invalid_utf8', message, SAVE_AS_UTF8), line, column },
      };
    }
    start = end + 1;
  }
}
