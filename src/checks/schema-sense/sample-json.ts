import { findText } from '../../base/match/text-language/find-text.ts';
import {
  isJsonList,
  isJsonObject,
  ownValue,
  setOwn,
  type Json,
  type JsonObject,
} from '../../base/model/json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { TextRule } from '../../base/model/text-rule.ts';
import { resolveReference } from './resolve-reference.ts';

/** Values that may match a JSON Schema, the most likely first. None if the schema is too complex for this. */
export function sampleJson(schema: JsonObject): readonly Json[] {
  const values = new Map<string, Json>();
  for (let variant = 0; variant < VARIANTS; variant++) {
    try {
      const value = sample(schema, { root: schema, depth: 0, variant });
      values.set(printJson(value), value);
    } catch (error) {
      if (!(error instanceof NotSimple)) throw error;
    }
  }
  return [...values.values()];
}

class NotSimple extends Error {}

/** With several choices, each variant takes another one; every second variant leaves out optional parts. */
const VARIANTS = 6;

interface Position {
  readonly root: JsonObject;
  readonly depth: number;
  readonly variant: number;
}

const DEEPEST = 20;

function sample(schema: Json | undefined, position: Position): Json {
  if (schema === undefined || schema === true) return 'text';
  if (!isJsonObject(schema) || position.depth > DEEPEST) throw new NotSimple();
  const deeper = { ...position, depth: position.depth + 1 };
  const own = (key: string): Json | undefined => ownValue(schema, key);
  if (own('const') !== undefined) return own('const')!;
  const listed = own('enum') ?? own('examples');
  if (isJsonList(listed) && listed.length > 0) return pick(listed, position);
  const reference = own('$ref');
  if (typeof reference === 'string') {
    const { $ref: _reference, ...rest } = schema;
    return sample(merge([rest, resolveReference(reference, position.root) ?? {}]), deeper);
  }
  const parts = own('allOf');
  if (isJsonList(parts)) {
    const { allOf: _parts, ...rest } = schema;
    return sample(merge([rest, ...parts]), deeper);
  }
  const choices = own('anyOf') ?? own('oneOf');
  if (isJsonList(choices) && choices.length > 0) {
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    return sample(merge([rest, pick(choices, position)]), deeper);
  }
  return sampleOfType(schema, deeper);
}

function pick(choices: readonly Json[], { variant }: Position): Json {
  return choices[(variant >> 1) % choices.length]!;
}

/** One schema with the requirements of all of them, as far as possible. */
function merge(schemas: readonly Json[]): JsonObject {
  const merged: Record<string, Json> = {};
  for (const schema of schemas) {
    if (!isJsonObject(schema)) continue;
    for (const [keyword, value] of Object.entries(schema)) {
      const before = Object.hasOwn(merged, keyword) ? merged[keyword] : undefined;
      setOwn(merged, keyword, before === undefined ? value : join(keyword, before, value));
    }
  }
  return merged;
}

function join(keyword: string, a: Json, b: Json): Json {
  if (keyword === 'properties' && isJsonObject(a) && isJsonObject(b)) {
    const joined: Record<string, Json> = { ...a };
    for (const key of Object.keys(b))
      setOwn(joined, key, Object.hasOwn(a, key) ? { allOf: [a[key]!, b[key]!] } : b[key]!);
    return joined;
  }
  if (keyword === 'required' && isJsonList(a) && isJsonList(b)) return [...a, ...b];
  if (typeof a === 'number' && typeof b === 'number')
    return keyword.startsWith('max') ? Math.min(a, b) : Math.max(a, b);
  return b;
}

function sampleOfType(schema: JsonObject, position: Position): Json {
  const type = ownValue(schema, 'type');
  switch (isJsonList(type) ? pick(type, position) : (type ?? guessType(schema))) {
    case 'object':
      return sampleObject(schema, position);
    case 'array':
      return sampleArray(schema, position);
    case 'string':
      return sampleText(schema);
    case 'integer':
    case 'number':
      return sampleNumber(schema);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      throw new NotSimple();
  }
}

function guessType(schema: JsonObject): string {
  const asks = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword));
  if (asks('items', 'minItems', 'maxItems', 'prefixItems', 'contains')) return 'array';
  if (asks('minLength', 'maxLength', 'pattern')) return 'string';
  if (asks('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf')) return 'number';
  return 'object';
}

/** The required properties, and in every second variant all described ones. */
function sampleObject(schema: JsonObject, position: Position): JsonObject {
  const properties = (ownValue(schema, 'properties') ?? {}) as JsonObject;
  const required = (ownValue(schema, 'required') ?? []) as readonly string[];
  const described = position.variant % 2 === 0 ? Object.keys(properties) : [];
  const value: Record<string, Json> = {};
  for (const key of new Set([...described, ...required]))
    setOwn(value, key, sample(ownValue(properties, key), position));
  const least = Number(ownValue(schema, 'minProperties') ?? 0);
  for (let extra = 1; Object.keys(value).length < least && extra <= MOST_ITEMS; extra++)
    setOwn(value, `key_${extra}`, sample(ownValue(schema, 'additionalProperties'), position));
  return value;
}

function sampleArray(schema: JsonObject, position: Position): readonly Json[] {
  const prefix = (ownValue(schema, 'prefixItems') ?? []) as readonly Json[];
  const least = Number(ownValue(schema, 'minItems') ?? 1);
  const most = Number(ownValue(schema, 'maxItems') ?? Infinity);
  const length = Math.min(Math.max(least, 1, prefix.length), most);
  if (length > MOST_ITEMS) throw new NotSimple();
  const isUnique = ownValue(schema, 'uniqueItems') === true;
  const item = ownValue(schema, 'contains') ?? ownValue(schema, 'items');
  return Array.from({ length }, (_, index) =>
    index < prefix.length
      ? sample(prefix[index], position)
      : distinct(
          sample(item, { ...position, variant: position.variant + (isUnique ? 2 * index : 0) }),
          isUnique ? index : 0,
        ),
  );
}

const MOST_ITEMS = 1000;

function distinct(value: Json, index: number): Json {
  if (index === 0) return value;
  if (value === 'text') return `text ${index}`;
  return typeof value === 'number' ? value + index : value;
}

function sampleText(schema: JsonObject): string {
  const { pattern, format } = schema;
  const least = Math.min(Number(ownValue(schema, 'minLength') ?? 0), 10_000);
  const most = Number(ownValue(schema, 'maxLength') ?? Infinity);
  if (typeof pattern !== 'string') {
    const usual = (typeof format === 'string' ? FORMATS[format] : undefined) ?? 'text';
    return usual.padEnd(least, 't').slice(0, most);
  }
  const rules: TextRule[] = [{ type: 'pattern', pattern, dialect: 'js' }];
  if (least > 0 || most < Infinity)
    rules.push({ type: 'pattern', pattern: `(?s)\\A.{${least},${most === Infinity ? '' : most}}\\Z` });
  const found = findText(rules);
  if (typeof found === 'string') throw new NotSimple();
  return found.text;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  time: '12:00:00Z',
  email: 'someone@example.com',
  uri: 'https://example.com/',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

function sampleNumber(schema: JsonObject): number {
  const bound = (name: string): number | undefined => ownValue(schema, name) as number | undefined;
  const isWhole = ownValue(schema, 'type') === 'integer';
  const [low, openLow] = [bound('minimum') ?? -Infinity, bound('exclusiveMinimum') ?? -Infinity];
  const [high, openHigh] = [bound('maximum') ?? Infinity, bound('exclusiveMaximum') ?? Infinity];
  const step = bound('multipleOf') ?? 1;
  const fits = (value: number): boolean =>
    value >= low && value > openLow && value <= high && value < openHigh;
  const from = Math.max(low, openLow);
  const to = Math.min(high, openHigh);
  const candidates = [
    step,
    Math.ceil(from / step) * step,
    (Math.floor(from / step) + 1) * step,
    Math.floor(to / step) * step,
    (Math.ceil(to / step) - 1) * step,
    0,
    ...(isWhole || schema['multipleOf'] !== undefined ? [] : [(from + to) / 2, from, to]),
  ];
  return candidates.find((value) => Number.isFinite(value) && fits(value)) ?? step;
}
