import { expect, test } from 'vitest';
import { ReadAhead } from './read-ahead.ts';

test('returns any part of a file in any order, and reads from disk only what the last read did not cover', () => {
  let file = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
  let reads = 0;
  const pieces = new ReadAhead((buffer, offset) => {
    reads++;
    return file.copy(buffer, 0, offset);
  });
  const check = (offset: number, length: number): void =>
    expect(pieces.pieceAt(offset, length).equals(file.subarray(offset, offset + length))).toBe(true);
  for (let offset = 0; offset < 60_000; offset += 1000) check(offset, 1000);
  expect(reads).toBe(1);
  check(10, 100_000);
  check(90_000, 5);
  expect(reads).toBe(2);
  for (const offset of [199_000, 0, 65_000, 65_536, 199_999]) check(offset, 1000);
  // It grows while it is read.
  check(199_500, 2000);
  file = Buffer.concat([file, Buffer.from('more')]);
  check(199_500, 504);
});
