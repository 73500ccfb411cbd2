import { isJsonList, isJsonObject, type Json } from '../../src/base/model/json.ts';

export type Path = readonly (string | number)[];

/** The places of all values inside of a value. */
export function places(value: Json, path: Path = []): readonly Path[] {
  const inner = isJsonList(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  return inner.flatMap(([key, each]) => [[...path, key], ...places(each, [...path, key])]);
}

export function valueAtPath(value: Json, path: Path): Json {
  return path.reduce<Json>((at, key) => (at as Record<string | number, Json>)[key]!, value);
}

/** A copy without the value at a place, or with something else there. A list can also end there. */
export type Damage = 'delete' | 'truncate' | 'null' | 'number' | 'text' | 'object' | 'list';
export const DAMAGES: readonly Damage[] = ['delete', 'truncate', 'null', 'number', 'text', 'object', 'list'];

export function damage(value: Json, path: Path, how: Damage): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (isJsonList(value)) {
    const index = Number(key);
    if (rest.length > 0) return value.with(index, damage(value[index]!, rest, how));
    if (how === 'truncate') return value.slice(0, index);
    return how === 'delete' ? value.toSpliced(index, 1) : value.with(index, REPLACEMENTS[how]);
  }
  const object = value as Readonly<Record<string, Json>>;
  if (rest.length > 0) return { ...object, [key]: damage(object[key]!, rest, how) };
  const entries = Object.entries(object);
  if (how === 'delete' || how === 'truncate')
    return Object.fromEntries(entries.filter(([name]) => name !== key));
  return { ...object, [key]: REPLACEMENTS[how] };
}

const REPLACEMENTS: Readonly<Record<Exclude<Damage, 'delete' | 'truncate'>, Json>> = {
  null: null,
  number: 7,
  text: 'damaged',
  object: {},
  list: [],
};

/** Whether one place is the other, or holds it. */
export function holds(outer: Path, inner: Path): boolean {
  return outer.every((key, index) => inner[index] === key);
}
