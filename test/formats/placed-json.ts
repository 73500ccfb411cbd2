import type { Json } from '../../src/base/model/json.ts';
import type { PathSegment } from '../../src/base/model/place.ts';

export interface PlacedValue {
  readonly path: readonly PathSegment[];
  readonly value: Json;
  readonly keyStart: number;
  readonly start: number;
}

/** Prints JSON, with `blank` wherever white space may stand, and notes where everything in it begins. */
export function printPlaced(
  root: Json,
  blank: string,
): { readonly text: string; readonly places: readonly PlacedValue[] } {
  const places: PlacedValue[] = [];
  let text = blank;
  const print = (value: Json, path: readonly PathSegment[], keyStart = text.length): void => {
    places.push({ path, value, keyStart, start: text.length });
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value);
      return;
    }
    const isList = Array.isArray(value);
    text += isList ? '[' : '{';
    for (const [index, [key, item]] of Object.entries(value as Record<string, Json>).entries()) {
      text += `${index === 0 ? '' : ','}${blank}`;
      const memberStart = text.length;
      if (!isList) text += `${JSON.stringify(key)}${blank}:${blank}`;
      print(item, [...path, isList ? index : key], memberStart);
      text += blank;
    }
    text += `${blank}${isList ? ']' : '}'}`;
  };
  print(root, []);
  return { text: text + blank, places };
}
