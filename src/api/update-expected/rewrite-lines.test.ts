import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { rewriteLines } from './rewrite-lines.ts';

async function rewritten(
  text: string | Buffer,
  ...lines: readonly number[]
): Promise<{ text: Buffer; seen: readonly string[] }> {
  const file = join(createTempFolder(), 'a.jsonl');
  writeFileSync(file, text);
  const pieces: Buffer[] = [];
  const seen: string[] = [];
  await rewriteLines(file, {
    lines: new Set(lines),
    rewrite: async (line, number) => {
      seen.push(`${number} ${line}`);
      return line.toUpperCase();
    },
    write: (piece) => void pieces.push(Buffer.from(piece as string)),
  });
  return { text: Buffer.concat(pieces), seen };
}

test('the chosen lines are rewritten, and the others are copied', async () => {
  const { text, seen } = await rewritten('one\ntwo\r\n\nfour', 2, 4);
  expect(text.toString()).toBe('one\nTWO\r\n\nFOUR');
  expect(seen).toEqual(['2 two\r\n', '4 four']);
});

test('lines beyond the end of the file are not requested', async () => {
  const { text, seen } = await rewritten('one\n', 2, 9);
  expect(text.toString()).toBe('one\n');
  expect(seen).toEqual([]);
});

test('bytes that are not text are copied unchanged', async () => {
  const bytes = Buffer.from([0x0a, 0xff, 0xfe, 0x0a]);
  expect((await rewritten(bytes)).text).toEqual(bytes);
});

test('lines longer than the read buffer stay whole', async () => {
  const long = 'é'.repeat(600_000);
  const { text, seen } = await rewritten(`${long}\n${long}\nx\n`, 2, 3);
  expect(seen.map((line) => line.length)).toEqual([600_003, 4]);
  expect(text.toString()).toBe(`${long}\n${long.toUpperCase()}\nX\n`);
});
