import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../model/json.ts';
import { parseFieldPath, valueAtFieldPath } from './field-path.ts';
import { valueInMemory } from './memory-path.ts';
import { parseReplyPath, valueInReply } from './reply-path.ts';

const VALUE: JsonObject = JSON.parse(
  '{"a": {"b": [{"c": 1}, {"c": 2}], "b[0]": "key"}, "0": "zero", "$x": "dollar", "x": "plain", "x y": "blank", "__proto__": 5}',
);

const memory = (path: string): Json | undefined => valueInMemory(VALUE, path);
const field = (path: string): Json | undefined => {
  const segments = parseFieldPath(path);
  return segments === undefined ? 'no path' : valueAtFieldPath(VALUE, segments);
};
const reply = (path: string): Json | undefined => {
  const segments = parseReplyPath(path);
  return segments === undefined ? 'no path' : valueInReply(VALUE, segments);
};

test.each<{ path: string; memory: Json | undefined; field: Json | undefined; reply: Json | undefined }>([
  // Keys alone, items, and both.
  { path: 'x', memory: 'plain', field: 'plain', reply: 'plain' },
  { path: 'a.b[1].c', memory: undefined, field: 2, reply: 2 },
  { path: 'a.b.1.c', memory: undefined, field: 2, reply: undefined },
  { path: 'a.b[0]', memory: 'key', field: { c: 1 }, reply: { c: 1 } },
  { path: 'a["b"][0].c', memory: undefined, field: 1, reply: 1 },
  { path: '[0]', memory: undefined, field: 'zero', reply: undefined },
  // From the end, and all of them.
  { path: 'a.b[-1].c', memory: undefined, field: 'no path', reply: 2 },
  { path: 'a.b[*].c', memory: undefined, field: 'no path', reply: [1, 2] },
  { path: 'a[*]', memory: undefined, field: 'no path', reply: undefined },
  // `$` is the value itself in a reply, and the first letter of a key elsewhere.
  { path: '$x', memory: 'dollar', field: 'dollar', reply: 'plain' },
  { path: '$.x', memory: undefined, field: undefined, reply: 'plain' },
  { path: 'x y', memory: 'blank', field: 'blank', reply: 'no path' },
  { path: 'a..b', memory: undefined, field: 'no path', reply: 'no path' },
  // Own keys only.
  { path: '__proto__', memory: 5, field: 5, reply: 5 },
  { path: 'constructor.name', memory: undefined, field: undefined, reply: undefined },
  { path: 'a.b.length', memory: undefined, field: undefined, reply: undefined },
])('$path', ({ path, ...expected }) => {
  expect({ memory: memory(path), field: field(path), reply: reply(path) }).toEqual(expected);
});
