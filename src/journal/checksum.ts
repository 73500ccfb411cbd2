import { crc32 } from 'node:zlib';

/**
 * Every line of a journal, `run.json` and `summary.json` end with the CRC-32 of what stands before it, as the last field
 * of their object: they stay JSON, and no change of a byte goes unnoticed. It guards against damage, not against forgery.
 */
const KEY = '"crc32":';
/** Of `,"crc32":"01234567"}`. */
export const SEAL_BYTES = 20;
const FILE_SEAL = /,\n {2}"crc32": "([0-9a-f]{8})"\n\}\n$/;

/**
 * Puts the checksum of a line in the place of its closing brace, and answers with where the line ends then. Byte by byte:
 * it is done for every record, and printing a text first takes several times as long.
 */
export function sealLine(buffer: Buffer, start: number, brace: number): number {
  return putSeal(buffer, brace, crc32(buffer.subarray(start, brace)));
}

/** Answers with where it ends. */
export function putSeal(buffer: Buffer, at: number, checksum: number): number {
  let end = at;
  for (let index = 0; index < BEFORE_DIGITS.length; index++) buffer[end++] = BEFORE_DIGITS[index]!;
  for (let shift = 28; shift >= 0; shift -= 4) buffer[end++] = DIGITS[(checksum >>> shift) & 15]!;
  for (let index = 0; index < AFTER_DIGITS.length; index++) buffer[end++] = AFTER_DIGITS[index]!;
  return end;
}

const BEFORE_DIGITS = Buffer.from(`,${KEY}"`);
const DIGITS = Buffer.from('0123456789abcdef');
const AFTER_DIGITS = Buffer.from('"}');
const COMMA = 0x2c;

/** How many bytes of a line stand before its checksum; all when it has none. Whether it is theirs is not looked at. */
export function jsonLength(line: Buffer): number {
  const length = line.length - SEAL_BYTES;
  return length > 0 && line[length] === COMMA && line.indexOf(BEFORE_DIGITS, length) === length
    ? length
    : line.length;
}

/** The same; undefined when the checksum is not that of these bytes. */
export function sealedLength(line: Buffer): number | undefined {
  const length = jsonLength(line);
  if (length === line.length) return length;
  const seal = Buffer.allocUnsafe(SEAL_BYTES);
  putSeal(seal, 0, crc32(line.subarray(0, length)));
  return line.indexOf(seal, length) === length ? length : undefined;
}

/** The JSON of a line without its checksum. `length`: what the functions above say. */
export function withoutSeal(line: Buffer, length: number): string {
  return length === line.length ? line.toString('utf8') : `${line.toString('utf8', 0, length)}}`;
}

/** JSON of an object, printed with two spaces, with its checksum. */
export function sealFile(json: string): string {
  const before = json.slice(0, -'\n}'.length);
  return `${before},\n  ${KEY} "${hexOf(crc32(before))}"\n}\n`;
}

/** Whether a file is as it was written; undefined when it has no checksum. */
export function isFileIntact(text: string): boolean | undefined {
  const found = FILE_SEAL.exec(text);
  if (found === null) return text.includes(KEY) ? false : undefined;
  return found[1] === hexOf(crc32(text.slice(0, found.index)));
}

export function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
