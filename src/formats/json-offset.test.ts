import { assert, json as anyJson, nat, property } from '../../test/seeded-fast-check.ts';
import { expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import { JsonOffsets } from './json-offset.ts';
import { parseJsonTree } from './json-tree.ts';
import { findOffset } from './located.ts';

test('finds everything where the tree says it is', () => {
  assert(
    property(anyJson({ maxDepth: 4 }), nat(3), (json, indent) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      const tree = parseJsonTree(text);
      if (!('root' in tree)) return;
      const paths = [...pathsOf(tree.root.value)];
      const offsets = new JsonOffsets(text);
      // In order and backwards: what was found before must not mislead.
      for (const path of [...paths, ...paths.toReversed()]) {
        for (const part of ['key', 'value'] as const)
          expect(offsets.find(path, part)).toBe(findOffset(tree.root, path, part));
      }
    }),
  );
});

test('reads escaped keys, and stops where a path leads nowhere', () => {
  const text = String.raw` {"a\"b": [1, "]", {"k": null}], "c": "}"} `;
  const offsets = new JsonOffsets(text);
  expect(offsets.find(['a"b', 2, 'k'], 'value')).toBe(text.indexOf('null'));
  expect(offsets.find(['c'], 'key')).toBe(text.indexOf('"c"'));
  expect(offsets.find(['c', 'd', 0], 'value')).toBe(text.indexOf('"}"'));
  expect(offsets.find(['gone'], 'value')).toBe(1);
});

function* pathsOf(value: Json, path: readonly PathSegment[] = []): Generator<readonly PathSegment[]> {
  yield path;
  yield [...path, 'nowhere', 7];
  yield [...path, 7];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, item] of Object.entries(value) as [string, Json][])
    yield* pathsOf(item, [...path, Array.isArray(value) ? Number(key) : key]);
}
