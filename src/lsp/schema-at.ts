import { isJsonObject, jsonTypeOf, ownValue, type Json } from '../base/model/json.ts';
import type { PathSegment } from '../base/model/place.ts';
import type { JsonSchema } from '../base/schema/schema.ts';

type Schemas = readonly JsonSchema[];

/** A step down into a document: a key or a position, and the mapping or list that it is in. */
interface Way {
  readonly path: readonly PathSegment[];
  readonly around: readonly Json[];
}

/** The schemas that apply to the value at the end of a path, with those that they refer to. */
export function schemasAt(root: JsonSchema, { path, around }: Way, value: Json | undefined): Schemas {
  let current: Schemas = [root];
  for (const [index, segment] of path.entries())
    current = expand(current, root, around[index]).flatMap((schema) => below(schema, segment));
  return expand(current, root, value);
}

function below(schema: JsonSchema, segment: PathSegment): Schemas {
  if (typeof segment === 'number') return schemaIn(schema['items']);
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  const known =
    properties === undefined ? undefined : Object.getOwnPropertyDescriptor(properties, segment)?.value;
  if (known !== undefined) return schemaIn(known);
  const patterns = Object.entries(
    (schema['patternProperties'] ?? {}) as Readonly<Record<string, JsonSchema>>,
  );
  const matching = patterns.filter(([pattern]) => new RegExp(pattern).test(segment));
  return matching.length > 0
    ? matching.flatMap(([, each]) => schemaIn(each))
    : schemaIn(schema['additionalProperties']);
}

function schemaIn(value: unknown): Schemas {
  return typeof value === 'object' && value !== null ? [value as JsonSchema] : [];
}

/** With what they refer to, and of several choices those that fit the value. Undefined fits everything. */
function expand(schemas: Schemas, root: JsonSchema, value: Json | undefined): Schemas {
  const found = new Set<JsonSchema>();
  const waiting = [...schemas];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (found.has(schema) || !fitsType(schema, value)) continue;
    found.add(schema);
    const { $ref, allOf, anyOf, oneOf, if: condition, then: held, else: otherwise } = schema as Keywords;
    if ($ref !== undefined) waiting.push(...referred($ref, root));
    waiting.push(...(allOf ?? []), ...(anyOf ?? []), ...(oneOf ?? []));
    if (condition !== undefined)
      waiting.push(...schemaIn(value !== undefined && fits(condition, value) ? held : otherwise));
  }
  return [...found];
}

interface Keywords {
  readonly $ref?: string;
  readonly allOf?: Schemas;
  readonly anyOf?: Schemas;
  readonly oneOf?: Schemas;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  readonly else?: JsonSchema;
}

function referred(reference: string, root: JsonSchema): Schemas {
  const name = reference.replace('#/definitions/', '');
  return schemaIn((root['definitions'] as Readonly<Record<string, unknown>> | undefined)?.[name]);
}

function fitsType(schema: JsonSchema, value: Json | undefined): boolean {
  const { type } = schema;
  // Nothing is there yet: it can become anything.
  if (type === undefined || value === undefined || value === null) return true;
  const types = (Array.isArray(type) ? type : [type]) as readonly string[];
  const own = jsonTypeOf(value);
  return types.includes(own) || (own === 'number' && types.includes('integer'));
}

/** Whether a value is as a condition of our own schemas says: they use these keywords and no others. */
function fits(condition: JsonSchema, value: Json): boolean {
  const {
    required = [],
    properties = {},
    pattern,
    not,
    anyOf,
    allOf = [],
    propertyNames,
  } = condition as Condition;
  if (condition['type'] !== undefined && (value === null || !fitsType(condition, value))) return false;
  if (not !== undefined && fits(not, value)) return false;
  if (anyOf !== undefined && !anyOf.some((each) => fits(each, value))) return false;
  if (!allOf.every((each) => fits(each, value))) return false;
  if (typeof value === 'string') return pattern === undefined || new RegExp(pattern).test(value);
  if (!isJsonObject(value)) return true;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  if (
    propertyNames?.enum !== undefined &&
    !Object.keys(value).every((name) => propertyNames.enum.includes(name))
  )
    return false;
  return Object.entries(properties).every(([name, each]) => {
    const own = ownValue(value, name);
    return own === undefined || fits(each, own);
  });
}

interface Condition {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly pattern?: string;
  readonly not?: JsonSchema;
  readonly anyOf?: Schemas;
  readonly allOf?: Schemas;
  readonly propertyNames?: { readonly enum: readonly string[] };
}
