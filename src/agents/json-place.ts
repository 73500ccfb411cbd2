import { isJsonObject, ownValue, type Json } from '../model/json.ts';

/** A place inside JSON: `choices[0].message.content`, `items[-1]`, `calls[*].name`, `["a key"].x`. */
export type JsonPlace = readonly PlaceStep[];

/** `*` is every item of a list. */
type PlaceStep = { readonly key: string } | { readonly index: number } | '*';

/** Undefined when the text is no place. `$` or nothing before the first step is the value itself. */
export function parsePlace(text: string): JsonPlace | undefined {
  const steps: PlaceStep[] = [];
  const source = text.trim().replace(/^\$/, '');
  const first = /^[.[]/.test(source) || source === '' ? source : `.${source}`;
  STEP.lastIndex = 0;
  while (STEP.lastIndex < first.length) {
    const match = STEP.exec(first);
    if (match === null) return undefined;
    const [, key, index, quoted] = match;
    if (key !== undefined) steps.push({ key });
    else if (index === '*') steps.push('*');
    else if (index !== undefined) steps.push({ index: Number(index) });
    else steps.push({ key: quoted!.slice(1, -1) });
  }
  return steps;
}

const STEP = /\.([^.[\]"'\s]+)|\[(-?\d+|\*)\]|\[("[^"]*"|'[^']*')\]/y;

/** Undefined when nothing is there. */
export function valueAt(value: Json | undefined, [step, ...rest]: JsonPlace): Json | undefined {
  if (step === undefined || value === undefined) return value;
  if (step === '*') {
    if (!Array.isArray(value)) return undefined;
    return value.map((item: Json) => valueAt(item, rest)).filter((found) => found !== undefined);
  }
  if ('key' in step) return isJsonObject(value) ? valueAt(ownValue(value, step.key), rest) : undefined;
  return Array.isArray(value) ? valueAt((value as readonly Json[]).at(step.index), rest) : undefined;
}
