import { assert, jsonValue, property } from '../../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import type { Json } from '../../../src/base/model/json.ts';
import { jsonChanges } from './json-changes.ts';
import { jsonRows, markedPaths, NOTHING_TOGGLED, sizeText } from './json-rows.ts';
import { printJson } from '../../../src/base/model/print-json.ts';
import { parseJsonText } from './parse-json-text.ts';

const LONG = { name: 'x'.repeat(50), other: 'y'.repeat(50) };
const paths = (value: Json, folding = NOTHING_TOGGLED): readonly string[] =>
  jsonRows(value, folding).map(({ path }) => path);

test('small values are open, and large ones are folded with their count', () => {
  expect(paths({ a: LONG, b: [1, 2] })).toEqual(['a', 'a.name', 'a.other', 'b']);
  const many = { items: Array.from({ length: 10_000 }, () => LONG) };
  expect(paths(many)).toEqual(['items']);
  expect(sizeText(many.items)).toBe('10,000 items');
  const open = jsonRows(many, { toggled: new Map([['items', true]]), limits: new Map() });
  expect(open).toHaveLength(102);
  expect(open.at(-1)).toMatchObject({ kind: 'more', value: 9900 });
  expect(open[1]).toMatchObject({ position: 1, size: 10_000, depth: 1 });
});

test('any key is shown, and keys that are not words are quoted', () => {
  const value = parseJsonText('{"__proto__":{"constructor":1},"a b":[{"0":2}],"":3}')!;
  const long = { ...(value as object), pad: 'x'.repeat(80) } as Json;
  expect(paths(long)).toEqual(expect.arrayContaining(['["a b"]', '[""]', 'pad']));
  expect(paths(parseJsonText(`{"__proto__":"${'x'.repeat(200)}"}`)!)).toEqual(['__proto__']);
});

test('a deep value does not break the page, and opens level by level', () => {
  let deep: Json = LONG;
  for (let depth = 0; depth < 3000; depth++) deep = { deep };
  expect(jsonRows(deep, NOTHING_TOGGLED).length).toBeLessThan(60);
});

test('marked values are open, wherever they are', () => {
  const value = {
    a: { list: Array.from({ length: 60 }, (_, index) => ({ ...LONG, index: `number ${index}` })) },
  };
  const marked = markedPaths(value, (text) => text === 'number 7');
  expect([...marked]).toEqual(['a', 'a.list', 'a.list[7]']);
});

test('text is shown as JSON only if nothing is lost', () => {
  expect(parseJsonText(' {"id": 12345678901234567890} ')).toEqual({ id: 12345678901234567890n });
  expect(parseJsonText('[1.50, 1e3, -0.25]')).toEqual([1.5, 1000, -0.25]);
  for (const text of [
    '{"a":1,"a":2}',
    '[1e400]',
    '[0.1234567890123456789]',
    'null',
    '"text"',
    '12',
    '{broken}',
    '{"a":1} and more',
    '['.repeat(100_000) + ']'.repeat(100_000),
  ])
    expect(parseJsonText(text), text.slice(0, 40)).toBeUndefined();
});

test('any printed JSON is read completely, and text with a duplicate key is not read', () => {
  assert(
    property(jsonValue(), (value) => {
      const text = JSON.stringify({ 'a: "1" \\': value });
      for (const written of [text, JSON.stringify(JSON.parse(text), null, 2)])
        expect(printJson(parseJsonText(written))).toBe(text);
      expect(parseJsonText(`{"x":${text},"y":0,"x":1}`)).toBeUndefined();
    }),
  );
  expect(parseJsonText('[1234567890.12345678,-12345678901234567.5]')).toBeUndefined();
  expect(parseJsonText('[0.14285714285714285,-1e-7,2E3,-0]')).toEqual([1 / 7, -1e-7, 2000, -0]);
});

test('changes are found by path, also in lists, and a matcher counts as one value', () => {
  const before = { a: [{ x: 1 }, { x: 2 }, { x: 3 }], n: 1, gone: null, m: { $gte: 5 } };
  const after = { a: [{ x: 0 }, { x: 1 }, { x: 2 }, { x: 4 }], n: 1, came: {}, m: { $lt: 5, x: 1 } };
  expect(jsonChanges(before, after)).toEqual([
    { path: 'a[0]', before: undefined, after: { x: 0 } },
    { path: 'a[3].x', before: 3, after: 4 },
    { path: 'gone', before: null, after: undefined },
    { path: 'm', before: { $gte: 5 }, after: { $lt: 5, x: 1 } },
    { path: 'came', before: undefined, after: {} },
  ]);
  expect(jsonChanges([12345678901234567890n], [12345678901234567891n])).toHaveLength(1);
  expect(jsonChanges({ a: 1 }, [1])).toEqual([{ path: '', before: { a: 1 }, after: [1] }]);
});
