import { isUtf8 } from 'node:buffer';

/** The text of some bytes, or the offset of the first byte that is not valid UTF-8. */
export function decodeUtf8(bytes: Buffer): { readonly text: string } | { readonly invalidAt: number } {
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { invalidAt: firstInvalidByte(bytes) };
}

/** Where bytes are not valid UTF-8: `byte 4 is 0xe9, after "Caf"`. */
export function describeInvalidUtf8(bytes: Buffer): string {
  const offset = firstInvalidByte(bytes);
  const line = bytes
    .toString('utf8', Math.max(0, offset - 80), offset)
    .split('\n')
    .at(-1)!;
  const after = line === '' ? '' : `, after ${JSON.stringify(line.slice(-20))}`;
  return `byte ${offset + 1} is 0x${bytes[offset]!.toString(16).padStart(2, '0')}${after}`;
}

function firstInvalidByte(bytes: Buffer): number {
  let offset = 0;
  while (offset < bytes.length) {
    const length = characterLength(bytes[offset]!);
    if (length === 0 || (length > 1 && !isUtf8(bytes.subarray(offset, offset + length)))) return offset;
    offset += length;
  }
  return offset;
}

function characterLength(firstByte: number): number {
  if (firstByte < 0x80) return 1;
  if (firstByte < 0xc2) return 0;
  if (firstByte < 0xe0) return 2;
  if (firstByte < 0xf0) return 3;
  return firstByte < 0xf5 ? 4 : 0;
}
