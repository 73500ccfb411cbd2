import { closeSync, openSync, readSync } from 'node:fs';
import { LIMITS } from '../formats/limits.ts';
import type { Finding } from '../../base/model/finding.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import { fileFinding, SAVE_AS_UTF8, unreadable } from './read-suite-file.ts';
import { unsavedText } from './unsaved-texts.ts';

const CHUNK_BYTES = 256 * 1024;
const LINE_FEED = 0x0a;

interface TextOptions {
  /** Each piece ends where a line ends, and has no line feed there. */
  readonly isByLine?: boolean;
}

/** The text of a file of any size, in pieces. If it cannot be read on, the last piece says why. */
export function* readTexts(
  file: string,
  { isByLine = false }: TextOptions = {},
): Generator<string | Finding> {
  const unsaved = unsavedText(file);
  if (unsaved !== undefined) return yield isByLine ? unsaved.replace(/\n$/, '') : unsaved;
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (error) {
    return yield unreadable(file, error);
  }
  try {
    yield* readPieces(descriptor, file, isByLine);
  } catch (error) {
    yield unreadable(file, error);
  } finally {
    closeSync(descriptor);
  }
}

function* readPieces(descriptor: number, file: string, isByLine: boolean): Generator<string | Finding> {
  let pending = Buffer.alloc(0);
  let lines = 0;
  let offset = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const read = readSync(descriptor, chunk);
    const bytes = Buffer.concat([pending, chunk.subarray(0, read)]);
    const cut =
      read === 0 ? bytes.length : isByLine ? bytes.lastIndexOf(LINE_FEED) + 1 : wholeCharacters(bytes);
    if (cut === 0 && read > 0) {
      if (bytes.length > LIMITS.lineBytes)
        return yield {
          ...fileFinding(file, 'too_large', 'a line of more than 64 MB', 'split it'),
          line: lines + 1,
        };
      pending = bytes;
      continue;
    }
    const whole = bytes.subarray(0, cut);
    const decoded = decodeUtf8(whole);
    if (!('text' in decoded)) return yield invalidAt(whole, decoded.invalidAt, { file, lines, offset });
    if (whole.length > 0) yield isByLine ? decoded.text.replace(/\n$/, '') : decoded.text;
    if (read === 0) return;
    for (let feed = whole.indexOf(LINE_FEED); feed !== -1; feed = whole.indexOf(LINE_FEED, feed + 1)) lines++;
    offset += cut;
    pending = bytes.subarray(cut);
  }
}

/** The number of bytes before a character that is cut at the end. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte >= 0xc0)
      return byte >= (back === 1 ? 0xc0 : back === 2 ? 0xe0 : 0xf0) ? bytes.length - back : bytes.length;
    if (byte < 0x80) break;
  }
  return bytes.length;
}

interface PieceStart {
  readonly file: string;
  readonly lines: number;
  readonly offset: number;
}

function invalidAt(bytes: Buffer, at: number, { file, lines, offset }: PieceStart): Finding {
  const before = bytes.toString('utf8', 0, at).split('\n');
  const message = `the byte at offset ${offset + at} is not valid UTF-8`;
  return {
    ...fileFinding(file, 'invalid_utf8', message, SAVE_AS_UTF8),
    line: lines + before.length,
    column: [...before.at(-1)!].length + 1,
  };
}
