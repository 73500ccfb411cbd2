import { findText } from '../../base/match/text-language/find-text.ts';
import { jsonEqual } from '../../base/match/json-equal.ts';
import {
  isJsonList,
  isJsonObject,
  jsonTypeOf,
  ownValue,
  type Json,
  type JsonObject,
} from '../../base/model/json.ts';
import type { TextRule } from '../../base/model/text-rule.ts';
import { resolveReference } from './resolve-reference.ts';

/**
 * Why no value matches a JSON Schema, if that is certain. A schema that is too complex for this may have no value
 * either: undefined proves nothing.
 */
export function whyImpossible(schema: JsonObject): string | undefined {
  return whyNone([schema], { root: schema, depth: 0 });
}

interface Position {
  readonly root: JsonObject;
  readonly depth: number;
}

const DEEPEST = 12;
const TYPES = ['object', 'array', 'string', 'number', 'boolean', 'null'] as const;

/** Why no value matches all of these schemas. */
function whyNone(authored: readonly Json[], position: Position): string | undefined {
  if (position.depth > DEEPEST) return undefined;
  const deeper = { ...position, depth: position.depth + 1 };
  const all = flatten(authored, deeper);
  if (all === undefined) return 'no value fits `false`';
  for (const schema of all) {
    const { not } = schema;
    if (not === true || (isJsonObject(not) && isSaidBy(not, all)))
      return '`not` excludes what the rest requires';
    const { oneOf } = schema;
    if (isJsonList(oneOf) && oneOf.length > 1 && oneOf.every((own) => jsonEqual(own, oneOf[0]!)))
      return 'the choices of `oneOf` are the same';
    for (const choices of [schema['anyOf'], schema['oneOf']]) {
      if (!Array.isArray(choices)) continue;
      const reasons = choices.map((choice: Json) => whyNone([...all.map(withoutChoices), choice], deeper));
      if (!reasons.includes(undefined)) return reasons[0] ?? 'it has no choices';
    }
  }
  const listed = listedValues(all);
  if (listed !== undefined)
    return listed.some((value) => all.every((schema) => mayFit(schema, value)))
      ? undefined
      : 'none of its listed values fits the rest of it';
  const types = TYPES.filter((type) => all.every((schema) => allowsType(schema, type)));
  if (types.length === 0) return 'no type fits all of it';
  const reasons = types.map((type) => WHY_NONE_OF_TYPE[type](all, deeper));
  return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Whether every keyword of a schema is one of the others too: what matches them matches it. */
function isSaidBy(schema: JsonObject, all: readonly JsonObject[]): boolean {
  return Object.entries(schema).every(
    ([keyword, value]) =>
      !/^(?:additional|unevaluated|items$|if$|then$|else$|minContains|maxContains)/.test(keyword) &&
      all.some((other) => Object.hasOwn(other, keyword) && jsonEqual(other[keyword]!, value)),
  );
}

function withoutChoices({ anyOf: _any, oneOf: _one, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** With what `allOf` and references add; undefined if one of them is `false`. */
function flatten(schemas: readonly Json[], position: Position): readonly JsonObject[] | undefined {
  const flat: JsonObject[] = [];
  const queue = [...schemas];
  for (const schema of queue) {
    if (schema === false) return undefined;
    if (!isJsonObject(schema) || flat.length > MOST_PARTS) continue;
    flat.push(schema);
    const { allOf } = schema;
    if (isJsonList(allOf)) queue.push(...allOf);
    const reference = ownValue(schema, '$ref');
    const target = typeof reference === 'string' ? resolveReference(reference, position.root) : undefined;
    if (target !== undefined) queue.push(target);
  }
  return flat;
}

const MOST_PARTS = 50;

function allowsType(schema: JsonObject, type: string): boolean {
  const own = ownValue(schema, 'type');
  const named = typeof own === 'string' ? [own] : own;
  const refused = isJsonObject(schema['not']) ? onlyType(schema['not']) : undefined;
  if (refused === type) return false;
  if (!Array.isArray(named)) return true;
  return named.includes(type) || (type === 'number' && named.includes('integer'));
}

/** The type that a schema requires if it requires nothing else. */
function onlyType(schema: JsonObject): Json | undefined {
  return Object.keys(schema).length === 1 ? ownValue(schema, 'type') : undefined;
}

function listedValues(all: readonly JsonObject[]): readonly Json[] | undefined {
  for (const schema of all) {
    if (Object.hasOwn(schema, 'const')) return [schema['const']!];
    if (isJsonList(schema['enum'])) return schema['enum'];
  }
  return undefined;
}

/** Whether a value matches the keywords of a schema that look at the value alone. */
function mayFit(schema: JsonObject, value: Json): boolean {
  if (!allowsType(schema, jsonTypeOf(value))) return false;
  if (ownValue(schema, 'type') === 'integer' && typeof value === 'number' && !Number.isInteger(value))
    return false;
  if (Object.hasOwn(schema, 'const') && !jsonEqual(schema['const']!, value)) return false;
  const { enum: listed } = schema;
  if (Array.isArray(listed) && !listed.some((own: Json) => jsonEqual(own, value))) return false;
  if (typeof value === 'string') {
    const { length } = [...value];
    return (
      length >= bound([schema], 'minLength', 'highest') &&
      length <= bound([schema], 'maxLength', 'lowest') &&
      mayMatch(schema['pattern'], value)
    );
  }
  if (typeof value !== 'number') return true;
  const { low, high } = rangeOf([schema]);
  return value >= low && value <= high;
}

function mayMatch(pattern: Json | undefined, text: string): boolean {
  if (typeof pattern !== 'string') return true;
  const whole = { type: 'literal', text, at: 'whole' } as const;
  return findText([whole, { type: 'pattern', pattern, dialect: 'js' }]) !== 'none';
}

type WhyNone = (all: readonly JsonObject[], position: Position) => string | undefined;

const WHY_NONE_OF_TYPE: Readonly<Record<(typeof TYPES)[number], WhyNone>> = {
  object: whyNoObject,
  array: whyNoArray,
  string: whyNoText,
  number: whyNoNumber,
  boolean: () => undefined,
  null: () => undefined,
};

function whyNoObject(all: readonly JsonObject[], position: Position): string | undefined {
  const required = all.flatMap((schema) =>
    Array.isArray(schema['required']) ? (schema['required'] as string[]) : [],
  );
  const most = bound(all, 'maxProperties', 'lowest');
  const least = Math.max(bound(all, 'minProperties', 'highest'), new Set(required).size);
  if (least > most) return `it needs ${least} properties, but may have at most ${most}`;
  for (const schema of all) {
    if (schema['additionalProperties'] !== false || schema['patternProperties'] !== undefined) continue;
    const allowed = Object.keys((schema['properties'] ?? {}) as JsonObject);
    const missing = required.find((key) => !allowed.includes(key));
    if (missing !== undefined) return `"${missing}" is required, but not allowed`;
    if (allowed.length < least) return `it needs ${least} properties, but only ${allowed.length} are allowed`;
  }
  for (const key of new Set(required)) {
    const names = all.flatMap((schema) => schema['propertyNames'] ?? []);
    if (names.length > 0 && whyNone([{ const: key }, ...names], position) !== undefined)
      return `"${key}" is required, but its name is not allowed`;
    const own = all.flatMap((schema) => {
      const { properties } = schema;
      return isJsonObject(properties) && Object.hasOwn(properties, key) ? [properties[key]!] : [];
    });
    const why = own.length === 0 ? undefined : whyNone(own, position);
    if (why !== undefined) return `"${key}" is required, but ${why}`;
  }
  return undefined;
}

function whyNoArray(all: readonly JsonObject[], position: Position): string | undefined {
  const contained = all.map((schema) =>
    schema['contains'] === undefined ? 0 : bound([{ minContains: 1, ...schema }], 'minContains', 'highest'),
  );
  const least = Math.max(bound(all, 'minItems', 'highest'), ...contained);
  const most = bound(all, 'maxItems', 'lowest');
  if (least > most) return `it needs ${least} items, but may have at most ${most}`;
  if (least === 0 || all.some((schema) => schema['prefixItems'] !== undefined)) return undefined;
  const items = all.flatMap((schema) => (schema['items'] === undefined ? [] : [schema['items']]));
  const why = items.length === 0 ? undefined : whyNone(items, position);
  if (why !== undefined) return `it needs an item, but ${why}`;
  const listed = listedValues(items.filter((own) => isJsonObject(own)));
  const isUnique = all.some((schema) => schema['uniqueItems'] === true);
  return isUnique && listed !== undefined && listed.length < least
    ? `it needs ${least} different items, but only ${listed.length} are listed`
    : undefined;
}

function whyNoText(all: readonly JsonObject[]): string | undefined {
  const [least, most] = [bound(all, 'minLength', 'highest'), bound(all, 'maxLength', 'lowest')];
  if (least > most) return `its text is at least ${least} and at most ${most} characters long`;
  const patterns = all.flatMap((schema) =>
    typeof schema['pattern'] === 'string' ? [schema['pattern']] : [],
  );
  if (patterns.length === 0) return undefined;
  const rules: TextRule[] = patterns.map((pattern) => ({ type: 'pattern', pattern, dialect: 'js' }));
  if (Math.max(least, most === Infinity ? 0 : most) <= LONGEST)
    rules.push({ type: 'pattern', pattern: `(?s)\\A.{${least},${most === Infinity ? '' : most}}\\Z` });
  return findText(rules) === 'none' ? `no text fits the pattern ${patterns[0]!}` : undefined;
}

const LONGEST = 200;

function whyNoNumber(all: readonly JsonObject[]): string | undefined {
  const { low, high, isOpen } = rangeOf(all);
  if (low > high || (low === high && isOpen)) return `no number is at least ${low} and at most ${high}`;
  const isWhole = all.some((schema) => ownValue(schema, 'type') === 'integer');
  const step = Number(
    all.find((schema) => typeof schema['multipleOf'] === 'number')?.['multipleOf'] ?? (isWhole ? 1 : 0),
  );
  if (step <= 0 || low === -Infinity || high === Infinity) return undefined;
  const isInside = (value: number): boolean =>
    value <= high + ROUNDING &&
    all.every(
      ({ exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity }) =>
        value > Number(above) && value < Number(below),
    );
  const first = Math.ceil(low / step - ROUNDING) * step;
  return isInside(first) || isInside(first + step)
    ? undefined
    : `no multiple of ${step} is between ${low} and ${high}`;
}

const ROUNDING = 1e-9;

interface Range {
  readonly low: number;
  readonly high: number;
  /** One of the ends is excluded. */
  readonly isOpen: boolean;
}

function rangeOf(all: readonly JsonObject[]): Range {
  const [low, openLow] = [
    bound(all, 'minimum', 'highest', -Infinity),
    bound(all, 'exclusiveMinimum', 'highest', -Infinity),
  ];
  const [high, openHigh] = [bound(all, 'maximum', 'lowest'), bound(all, 'exclusiveMaximum', 'lowest')];
  return {
    low: Math.max(low, openLow),
    high: Math.min(high, openHigh),
    isOpen: (openLow >= low && openLow > -Infinity) || (openHigh <= high && openHigh < Infinity),
  };
}

function bound(
  all: readonly JsonObject[],
  keyword: string,
  which: 'highest' | 'lowest',
  none = which === 'highest' ? 0 : Infinity,
): number {
  const values = all.flatMap((schema) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []));
  return which === 'highest' ? Math.max(none, ...values) : Math.min(none, ...values);
}
