import { isJsonList, isJsonObject, setOwn, type Json, type JsonObject } from '../../model/json.ts';
import { formatPath, type PathSegment } from '../../model/place.ts';
import { SAMPLES } from './matcher.ts';
import { isMatcher, matchesAbsent, partsOf } from './read-matcher.ts';
import { holds, sampleValues } from './sample-values.ts';

/** A value that breaks one matcher and leaves the others as they are. */
export interface CounterExample {
  /** The matcher, and where: `$gte at order.total`. */
  readonly what: string;
  /** The whole value with this one change. Undefined: it is absent. */
  readonly value: Json | undefined;
}

/** For each matcher in an expected value, the sample with one change that this matcher must notice. */
export function counterExamples(expected: Json, sample: Json | undefined): readonly CounterExample[] {
  return [...spots(expected, sample, [])].slice(0, MOST).map(({ name, path, value }) => ({
    what: path.length === 0 ? name : `${name} at ${formatPath(path)}`,
    value: replaceAt(sample, path, value),
  }));
}

/** The most of one value: a mapping with more matchers is checked by its first ones. */
const MOST = 40;

interface Spot {
  readonly name: string;
  readonly path: readonly PathSegment[];
  readonly value: Json | undefined;
}

function* spots(expected: Json, sample: Json | undefined, path: readonly PathSegment[]): Generator<Spot> {
  if (isMatcher(expected)) yield* matcherSpots(expected, sample, path);
  else if (isJsonList(expected) && isJsonList(sample))
    for (const [index, item] of expected.entries()) yield* spots(item, sample[index], [...path, index]);
  else if (isJsonObject(expected) && isJsonObject(sample))
    for (const key of Object.keys(expected))
      yield* spots(expected[key]!, Object.hasOwn(sample, key) ? sample[key] : undefined, [...path, key]);
}

function* matcherSpots(
  mapping: JsonObject,
  sample: Json | undefined,
  path: readonly PathSegment[],
): Generator<Spot> {
  for (const { matcher, argument, authored } of partsOf(mapping)) {
    const { name } = matcher;
    if (matcher.enters === 'value') yield* spots(argument, sample, path);
    if (matcher.enters === 'items' && isJsonList(sample) && sample.length > 0)
      yield* spots(argument, sample[0], [...path, 0]);
    const breaking = [...matcher.breaking(argument, sampleValues), ...SAMPLES].filter(
      (value) => !holds(authored, value),
    );
    const others = Object.fromEntries(
      Object.entries(mapping).filter(([key]) => !Object.hasOwn(authored, key)),
    );
    const isAlone = Object.keys(others).length === 0;
    const value = breaking.find((one) => isAlone || holds(others, one)) ?? breaking[0];
    // What matches every value is broken only by an absent one.
    if (value !== undefined || !matchesAbsent(mapping)) yield { name, path, value };
  }
}

function replaceAt(
  root: Json | undefined,
  [segment, ...deeper]: readonly PathSegment[],
  value: Json | undefined,
): Json | undefined {
  if (segment === undefined) return value;
  if (isJsonList(root))
    return root.flatMap((item, index) => {
      const kept = index === segment ? replaceAt(item, deeper, value) : item;
      return kept === undefined ? [] : [kept];
    });
  const copy: Record<string, Json> = {};
  if (isJsonObject(root)) for (const key of Object.keys(root)) setOwn(copy, key, root[key]!);
  const key = String(segment);
  const inner = replaceAt(Object.hasOwn(copy, key) ? copy[key] : undefined, deeper, value);
  if (inner === undefined) delete copy[key];
  else setOwn(copy, key, inner);
  return copy;
}
