import { expect, test } from 'vitest';
import { findJson } from './find-json.ts';

const fence = (text: string): string => `\`\`\`json\n${text}\n\`\`\`\n`;

test('a broken block next to a valid one is not ignored', () => {
  expect(findJson(fence('{"total": 2,}') + fence('{"total": 1}'))).toEqual({ kind: 'broken' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('npm run build') + fence('{"total": 1}'))).toMatchObject({ kind: 'one' });
  expect(findJson(fence('{"total": 1}') + fence('{"total": 2}'))).toMatchObject({ kind: 'several' });
});

test('with another object next to a code fence it is ambiguous which one is meant', () => {
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

test.each([
  ['{"a": 1}', { kind: 'one', value: { a: 1 } }],
  ['  [1, 2]\n', { kind: 'one', value: [1, 2] }],
  ['7', { kind: 'one', value: 7 }],
  ['no JSON here', { kind: 'none' }],
  ['', { kind: 'none' }],
  // In prose.
  ['The answer is {"a": 1}.', { kind: 'one', value: { a: 1 } }],
  ['Rows: [{"a": 1}, {"a": 2}] as wanted', { kind: 'one', value: [{ a: 1 }, { a: 2 }] }],
  ['{"a": 1} and again {"a": 1}', { kind: 'one', value: { a: 1 } }],
  ['{"a": 1} or {"a": 2}', { kind: 'several', count: 2 }],
  ['{"a": 1} or {"a": 2} or {"a": 3}', { kind: 'several', count: 3 }],
  // Empty objects stand for nothing beside others.
  ['{} and {"a": 1}', { kind: 'one', value: { a: 1 } }],
  ['it is {}', { kind: 'one', value: {} }],
  ['{} and {}', { kind: 'one', value: {} }],
  // Braces and brackets that begin no JSON.
  ['use {name} and [1]', { kind: 'none' }],
  ['use {name} and {"a": 1}', { kind: 'one', value: { a: 1 } }],
  // A part of the answer is not the answer.
  ['{"a": {"b": 1}', { kind: 'broken' }],
  ['{"a": 1,} then {"a": 1}', { kind: 'broken' }],
  ['{"a": 1} then {"b": ', { kind: 'broken' }],
  ['{"a": "}"} is it', { kind: 'one', value: { a: '}' } }],
])('%s', (text, found) => {
  expect(findJson(text)).toEqual(found);
});

test('JSON in a code fence is preferred', () => {
  expect(findJson(`${fence('make test')}{"a": 1}`)).toEqual({ kind: 'one', value: { a: 1 } });
});
