import { crc32 } from 'node:zlib';

/**
 * Every line of a journal, `run.json` and `summary.json` end with the CRC-32 of the bytes before it, as the last
 * field of the object: they stay valid JSON, and no changed byte goes unnoticed. It protects against damage, not
 * against forgery.
 */
const KEY = '"crc32":';
/** The length of `,"crc32":"01234567"}`. */
export const SEAL_BYTES = 20;
const FILE_SEAL = /,\n {2}"crc32": "([0-9a-f]{8})"\n\}\n$/;

/**
 * Replaces the closing brace of a line with its checksum, and returns the new end. Works on bytes: this runs for
 * every record, and printing a string first takes several times as long.
 */
export function sealLine(buffer: Buffer, start: number, brace: number): number {
  return putSeal(buffer, brace, crc32(buffer.subarray(start, brace)));
}

/** Returns the end. */
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

/** How many bytes of a line precede its checksum; all if it has none. The checksum is not verified. */
export function jsonLength(line: Buffer): number {
  const length = line.length - SEAL_BYTES;
  return length > 0 && line[length] === COMMA && line.indexOf(BEFORE_DIGITS, length) === length
    ? length
    : line.length;
}

/** The same; undefined if the checksum does not match these bytes. */
export function sealedLength(line: Buffer): number | undefined {
  const length = jsonLength(line);
  if (length === line.length) return length;
  const seal = Buffer.allocUnsafe(SEAL_BYTES);
  putSeal(seal, 0, crc32(line.subarray(0, length)));
  return line.indexOf(seal, length) === length ? length : undefined;
}

/** The JSON of a line without its checksum. `length` comes from the functions above. */
export function withoutSeal(line: Buffer, length: number): string {
  return length === line.length ? line.toString('utf8') : `${line.toString('utf8', 0, length)}}`;
}

/** JSON of an object, printed with two spaces, with its checksum. */
export function sealFile(json: string): string {
  const before = json.slice(0, -'\n}'.length);
  return `${before},\n  ${KEY} "${hexOf(crc32(before))}"\n}\n`;
}

/** Whether a file is as it was written; undefined if it has no checksum. */
export function isFileIntact(text: string): boolean | undefined {
  const found = FILE_SEAL.exec(text);
  if (found === null) return text.includes(KEY) ? false : undefined;
  return found[1] === hexOf(crc32(text.slice(0, found.index)));
}

export function hexOf(checksum: number): string {
  return checksum.toString(16).padStart(8, '0');
}
