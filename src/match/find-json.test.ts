import { expect, test } from 'vitest';
import { findJson } from './find-json.ts';

const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\`\n`;

test('a broken block beside a whole one is not passed over', () => {
  expect(findJson(fence('{"total": 2,}') + fence('{"total": 1}'))).toEqual({ kind: 'broken' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('npm run build') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 2}'))).toMatchObject({ kind: 'several' });
});

test('another object beside a fence leaves open which one is meant', () => {
  const block = fence('{"total": 1}');
  for (const prose of ['I first had {"total": 2}.', 'Or [{"total": 1}]?', '{"total": 1, "tax": 0}'])
    for (const text of [`${prose}\n${block}`, `${block}${prose}`])
      expect([text, findJson(text)]).toEqual([text, { kind: 'several', count: 2 }]);
  expect(findJson(`${block}{"a": 1} and {"total": 2} and {"total": 1}`)).toMatchObject({ kind: 'several' });
  expect(findJson(`The form is {"total": ...}, then {"total": 2}:\n${block}`)).toMatchObject({
    kind: 'several',
  });
  for (const prose of [
    '{"total": 1.0} as asked',
    'An empty object {} is not it.',
    'The form is {"total": number}.',
    'See [1] and {total}.',
    fence('const total = {"total": 2};'),
  ])
    for (const text of [`${prose}\n${block}`, `${block}${prose}`])
      expect([text, findJson(text)]).toEqual([text, { kind: 'one', value: { total: 1 } }]);
});
