import type { Json, JsonObject } from '../src/base/model/json.ts';

/** Shorter schemas stay where they are: a `$ref` to them saves little. */
const WORTH_SHARING = 70;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. What other keywords hold is data. */
const SCHEMA = new Set(['additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'then']);
const LIST = new Set(['allOf', 'anyOf', 'items', 'oneOf']);
const BY_NAME = new Set(['definitions', 'dependencies', 'patternProperties', 'properties']);

/** As small as it gets, apart from a line for each definition: changes can be read. */
export function sharedSchemaText(schema: JsonObject): string {
  const { definitions, ...rest } = shareDefinitions(schema);
  const lines = Object.entries(definitions ?? {}).map(
    ([name, definition]) => `${JSON.stringify(name)}:${JSON.stringify(definition)}`,
  );
  const head = JSON.stringify(rest).slice(0, -1);
  return lines.length === 0 ? `${head}}\n` : `${head},\n"definitions":{\n${lines.join(',\n')}\n}}\n`;
}

/** The same JSON Schema, with each schema that occurs more than once written once, in its `definitions`. */
export function shareDefinitions(schema: JsonObject): JsonObject {
  const counts = new Map<string, number>();
  eachSchema(schema, (inner) => {
    const text = JSON.stringify(inner);
    counts.set(text, (counts.get(text) ?? 0) + 1);
    // What is inside of a repeated schema is counted once.
    return counts.get(text) === 1;
  });
  const names = new Map<string, string>();
  const definitions = new Map<string, Json>();
  const taken = new Set(Object.keys((schema['definitions'] as JsonObject | undefined) ?? {}));
  const share = (inner: JsonObject, name: string): JsonObject => {
    const text = JSON.stringify(inner);
    if (text.length < WORTH_SHARING || counts.get(text)! < 2) return mapSchemas(inner, name, share);
    let shared = names.get(text);
    if (shared === undefined) {
      shared = freeName(name, taken);
      names.set(text, shared);
      definitions.set(shared, mapSchemas(inner, name, share));
    }
    return { $ref: `#/definitions/${shared}` };
  };
  const { definitions: own, ...rest } = mapSchemas(schema, 'root', share);
  const all = { ...(own as JsonObject | undefined), ...Object.fromEntries(definitions) };
  return Object.keys(all).length === 0 ? rest : { ...rest, definitions: all };
}

function freeName(name: string, taken: Set<string>): string {
  const word = name.replaceAll(/\W+/g, '_');
  let free = word;
  for (let count = 2; taken.has(free); count++) free = `${word}_${count}`;
  taken.add(free);
  return free;
}

/** Every schema inside of one; goes into it if `visit` says so. */
function eachSchema(schema: JsonObject, visit: (inner: JsonObject) => boolean): void {
  mapSchemas(schema, '', (inner) => {
    if (visit(inner)) eachSchema(inner, visit);
    return inner;
  });
}

/** `map` gets each schema directly in this one, and a name for it. */
function mapSchemas(
  schema: JsonObject,
  name: string,
  map: (inner: JsonObject, name: string) => JsonObject,
): JsonObject {
  const mapOne = (value: Json, as: string): Json => (isObject(value) ? map(value, as) : value);
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (LIST.has(keyword) && Array.isArray(value)) return [keyword, value.map((item) => mapOne(item, name))];
    if (SCHEMA.has(keyword)) return [keyword, mapOne(value, name)];
    if (!BY_NAME.has(keyword) || !isObject(value)) return [keyword, value];
    const byName = Object.entries(value).map(([key, inner]) => [key, mapOne(inner, key)]);
    return [keyword, Object.fromEntries(byName)];
  });
  return Object.fromEntries(entries);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
