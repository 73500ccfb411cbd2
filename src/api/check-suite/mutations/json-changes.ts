import { isJsonObject, setOwn, type Json, type JsonObject } from '../../../base/model/json.ts';
import { formatPath, type PathSegment } from '../../../base/model/place.ts';

/** A value with one thing changed. */
export interface JsonChange {
  readonly what: 'changed' | 'removed' | 'added';
  /** The path: `user.name`. */
  readonly where: string;
  readonly value: Json;
}

/** The most paths of one value. */
const MOST = 60;

/** Every value inside changed and removed, and one key added. */
export function* jsonChanges(root: Json): Generator<JsonChange> {
  if (isJsonObject(root))
    yield { what: 'added', where: 'another_key', value: { ...root, another_key: 'another value' } };
  let left = MOST;
  for (const path of leaves(root, [])) {
    if (left-- === 0) return;
    const where = formatPath(path);
    yield { what: 'changed', where, value: edit(root, path, other)! };
    if (path.length > 0) yield { what: 'removed', where, value: edit(root, path, () => undefined)! };
  }
}

function* leaves(value: Json, path: readonly PathSegment[]): Generator<readonly PathSegment[]> {
  const entries: readonly (readonly [PathSegment, Json])[] = Array.isArray(value)
    ? value.map((item: Json, index) => [index, item] as const)
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (entries.length === 0) yield path;
  for (const [segment, inner] of entries) yield* leaves(inner, [...path, segment]);
}

function edit(
  value: Json,
  [segment, ...deeper]: readonly PathSegment[],
  change: (value: Json) => Json | undefined,
): Json | undefined {
  if (segment === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.flatMap((item: Json, index) => {
      const kept = index === segment ? edit(item, deeper, change) : item;
      return kept === undefined ? [] : [kept];
    });
  }
  const copy: Record<string, Json> = {};
  for (const [key, inner] of Object.entries(value as JsonObject)) {
    const kept = key === segment ? edit(inner, deeper, change) : inner;
    if (kept !== undefined) setOwn(copy, key, kept);
  }
  return copy;
}

function other(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'bigint') return value + 1n;
  if (typeof value === 'boolean') return !value;
  return typeof value === 'string' ? `${value} (changed)` : 'another value';
}
