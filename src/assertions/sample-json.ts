import { sampleMatch } from '../match/python-re/sample-match.ts';
import { isJsonObject, ownValue, setOwn, type Json, type JsonObject } from '../model/json.ts';

/** A value that fits a simple JSON Schema; undefined when the schema is more than this understands. */
export function sampleJson(schema: JsonObject): { readonly value: Json } | undefined {
  try {
    return { value: sample(schema, { root: schema, depth: 0 }) };
  } catch (error) {
    if (error instanceof NotSimple) return undefined;
    throw error;
  }
}

class NotSimple extends Error {}

interface Position {
  readonly root: JsonObject;
  readonly depth: number;
}

const DEEPEST = 20;

function sample(schema: Json | undefined, position: Position): Json {
  if (schema === undefined || schema === true) return 'text';
  if (!isJsonObject(schema) || position.depth > DEEPEST) throw new NotSimple();
  const deeper = { ...position, depth: position.depth + 1 };
  const own = (key: string): Json | undefined => ownValue(schema, key);
  if (own('const') !== undefined) return own('const')!;
  const listed = own('enum') ?? own('examples');
  if (Array.isArray(listed) && listed.length > 0) return listed[0] as Json;
  if (typeof own('$ref') === 'string') return sample(resolve(own('$ref') as string, position.root), deeper);
  const choices = own('anyOf') ?? own('oneOf') ?? own('allOf');
  if (Array.isArray(choices)) {
    if (own('allOf') !== undefined && choices.length > 1) throw new NotSimple();
    const { anyOf: _any, oneOf: _one, allOf: _all, ...rest } = schema;
    return sample({ ...rest, ...(choices[0] as JsonObject) }, deeper);
  }
  return sampleOfType(schema, deeper);
}

function sampleOfType(schema: JsonObject, position: Position): Json {
  const type = ownValue(schema, 'type');
  switch (Array.isArray(type) ? type[0] : (type ?? guessType(schema))) {
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
  if (ownValue(schema, 'properties') !== undefined || ownValue(schema, 'required') !== undefined)
    return 'object';
  return ownValue(schema, 'items') === undefined ? 'string' : 'array';
}

/** Every property that is described, and those that must be there. */
function sampleObject(schema: JsonObject, position: Position): JsonObject {
  const properties = (ownValue(schema, 'properties') ?? {}) as JsonObject;
  const required = (ownValue(schema, 'required') ?? []) as readonly string[];
  const value: Record<string, Json> = {};
  for (const key of new Set([...Object.keys(properties), ...required]))
    setOwn(value, key, sample(ownValue(properties, key), position));
  return value;
}

function sampleArray(schema: JsonObject, position: Position): readonly Json[] {
  const least = Number(ownValue(schema, 'minItems') ?? 1);
  const most = Number(ownValue(schema, 'maxItems') ?? Infinity);
  const length = Math.min(Math.max(least, 1), most);
  if (length > 1000) throw new NotSimple();
  return Array.from({ length }, () => sample(ownValue(schema, 'items'), position));
}

function sampleText(schema: JsonObject): string {
  const pattern = ownValue(schema, 'pattern');
  const text = typeof pattern === 'string' ? sampleMatch(pattern) : 'text';
  if (text === undefined) throw new NotSimple();
  const least = Math.min(Number(ownValue(schema, 'minLength') ?? 0), 10_000);
  return text.padEnd(least, 't').slice(0, Number(ownValue(schema, 'maxLength') ?? Infinity));
}

function sampleNumber(schema: JsonObject): number {
  const bound = (name: string): number | undefined => ownValue(schema, name) as number | undefined;
  const step = bound('multipleOf') ?? 1;
  const low =
    bound('minimum') ??
    (bound('exclusiveMinimum') === undefined ? undefined : bound('exclusiveMinimum')! + step);
  if (low !== undefined) return Math.ceil(low / step) * step;
  const high =
    bound('maximum') ??
    (bound('exclusiveMaximum') === undefined ? undefined : bound('exclusiveMaximum')! - step);
  return high === undefined || high >= step ? step : Math.floor(high / step) * step;
}

/** Inside the same schema only. */
function resolve(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#')) throw new NotSimple();
  let value: Json | undefined = root;
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(value)) throw new NotSimple();
    value = ownValue(value, key);
  }
  return value;
}
