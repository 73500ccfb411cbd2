import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import { valueDiff } from './value-diff.ts';

const colors = picocolors.createColors(false);
const lines = (count: number, text = 'line'): string =>
  Array.from({ length: count }, (_, index) => `${text} ${index + 1}`).join('\n');

test('the first difference between lines is shown, wherever it is', async () => {
  const shown = await valueDiff(`${lines(50_000)}\nBerlin`, `${lines(50_000)}\nRome`, colors);
  expect(shown).toEqual({
    lines: [
      '- expected  + actual',
      '  ... 49997 equal lines',
      '  line 49998',
      '  line 49999',
      '  line 50000',
      '- Berlin',
      '+ Rome',
    ],
    isCut: false,
  });
});

test('the first difference in one long line is shown, wherever it is', async () => {
  const same = 'a'.repeat(1_000_000);
  const shown = await valueDiff(`${same}Berlin`, `${same}Rome`, colors);
  expect(shown.lines).toEqual([
    `- expected  …${'a'.repeat(60)}Berlin"`,
    `+ actual    …${'a'.repeat(60)}Rome"`,
  ]);
});

test('a difference of megabytes is cut and marked', async () => {
  const shown = await valueDiff(lines(300_000, 'some text'), lines(200_000, 'other text'), colors);
  expect(shown.isCut).toBe(true);
  expect(shown.lines).toHaveLength(62);
  expect(shown.lines.at(-1)).toBe('  ... more lines: 300000 lines expected, 200000 received');
});

test('if one text begins with the other, they differ where the shorter ends', async () => {
  const shown = await valueDiff(lines(40), lines(42), colors);
  expect(shown.lines.slice(-3)).toEqual(['  line 40', '+ line 41', '+ line 42']);
});
