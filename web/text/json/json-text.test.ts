import { assert, jsonValue, property } from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/model/json.ts';
import { jsonChanges } from './json-changes.ts';
import { jsonText } from './json-text.ts';

test('printed JSON is read back as the same value', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value as Json))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('short values are on one line, long ones on several', () => {
  expect(jsonText({ tool: 'refund', args: [1, 2] })).toBe('{ "tool": "refund", "args": [1, 2] }');
  expect(jsonText({ a: 'x'.repeat(60), b: 'y'.repeat(60) }).split('\n')).toHaveLength(4);
  expect(jsonText({})).toBe('{}');
  expect(jsonText(12345678901234567890n)).toBe('12345678901234567890');
});

test('changes of memory are listed by path', () => {
  const before = { user: { name: 'Ada', age: 36 }, gone: 1, same: [1], list: [1] };
  const after = { user: { name: 'Bob', age: 36 }, same: [1], list: [1, 2], 'a b': true };
  expect(jsonChanges(before, after)).toEqual([
    { path: 'user.name', before: 'Ada', after: 'Bob' },
    { path: 'gone', before: 1, after: undefined },
    { path: 'list[1]', before: undefined, after: 2 },
    { path: '["a b"]', before: undefined, after: true },
  ]);
});

test('names of inherited properties are ordinary keys', () => {
  const memory = JSON.parse('{"__proto__": 1, "constructor": 2}') as { readonly [key: string]: Json };
  expect(jsonChanges({}, memory).map(({ path }) => path)).toEqual(['__proto__', 'constructor']);
});
