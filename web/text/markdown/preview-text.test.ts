import { expect, test } from 'vitest';
import { previewText } from './preview-text.ts';

test('the beginning of an answer loses the signs of Markdown, and nothing else', () => {
  expect(previewText('## Done\nI have **handled** `it`:\n- found\n- paid')).toBe(
    'Done\nI have handled it:\n• found\n• paid',
  );
  expect(previewText('```js\nconst a = 1;')).toBe('const a = 1;');
  expect(
    previewText('See the ![seat map](data:image/png;base64,iVBORw0KG… and the [form](https://a.example/b).'),
  ).toBe('See the seat map and the form.');
  expect(previewText('Your ![seat map](data:image/png;base64,iVBORw0KGgo…')).toBe('Your seat map');
  for (const plain of ['2 * 3 ** 4', 'a_b_c', '- only one dash', 'list[0](x)', '[x](y)', "it's a `"])
    expect(previewText(plain)).toBe(plain);
});
