import { expect, test } from 'vitest';
import { previewText } from './preview-text.ts';

test('the beginning of an answer loses the signs of Markdown, and nothing else', () => {
  expect(previewText('## Done\nI have **handled** `it`:\n- found\n- paid')).toBe(
    'Done\nI have handled it:\n• found\n• paid',
  );
  expect(previewText('```js\nconst a = 1;')).toBe('const a = 1;');
  for (const plain of ['2 * 3 ** 4', 'a_b_c', '- only one dash', "it's a `"])
    expect(previewText(plain)).toBe(plain);
});
