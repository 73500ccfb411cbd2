import { expect, test } from 'vitest';
import { isDataImage, splitImages } from './data-image.ts';

const PNG = `data:image/png;base64,${'A'.repeat(40)}==`;

test('images are found in a text, with their names', () => {
  expect(splitImages(`before ![a cat](${PNG}) after`)).toEqual([
    { kind: 'words', text: 'before ' },
    { kind: 'image', address: PNG, name: 'a cat' },
    { kind: 'words', text: ' after' },
  ]);
  expect(splitImages(PNG)).toEqual([{ kind: 'image', address: PNG, name: '' }]);
});

test.each([
  'data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+',
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  'data:image/png,notbase64notbase64notbase64',
  'https://example.com/a.png',
  'data:image/png;base64,AAAA"onerror=alert(1)',
  `data:image/png;base64,${'A'.repeat(7_000_000)}`,
])('this is not an image to show: %.60s', (text) => {
  expect(isDataImage(text)).toBe(false);
  expect(splitImages(text).filter(({ kind }) => kind === 'image')).toEqual([]);
});
