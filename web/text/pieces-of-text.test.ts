import { expect, test } from 'vitest';
import { cutIntoPieces, pieceEnd } from './pieces-of-text.ts';

test.each([
  ['no line feed at all', 'x'.repeat(50_000)],
  ['one at the start only', `\n${'x'.repeat(50_000)}`],
  ['one right after the first half', `${'x'.repeat(1400)}\n${'y'.repeat(50_000)}`],
  ['short lines', 'one line\n'.repeat(9000)],
  ['only line feeds', '\n'.repeat(20_000)],
  ['surrogate pairs', '👩'.repeat(20_000)],
])('a text is cut into pieces, and nothing is lost or empty: %s', (_, text) => {
  const end = pieceEnd(text, 0, 3000);
  expect(end).toBeGreaterThanOrEqual(1499);
  expect(end).toBeLessThanOrEqual(3000);
  const pieces = cutIntoPieces(text);
  expect(Math.max(...pieces.map((piece) => piece.text.length))).toBeLessThanOrEqual(8000);
  const whole = pieces.map(({ start }, index) => text.slice(start, pieces[index + 1]?.start)).join('');
  expect(whole).toBe(text);
  for (const piece of pieces) expect(piece.text).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
});

test('an emoji is not cut in half', () => {
  expect(pieceEnd(`a${'👩'.repeat(5000)}`, 0, 3000)).toBe(2999);
});
