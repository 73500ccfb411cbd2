import type { JsonSchema } from './schema.ts';

/** A text that is exactly one `{{name}}`: it becomes the value of the variable, with its type. */
const VARIABLE = String.raw`^\{\{[^{}]*\}\}$`;

/** Fields that are read before variables have values, or are never templates. */
const NOT_TEMPLATES: ReadonlySet<string> = new Set([
  'vars',
  'each',
  '$schema',
  'schema_version',
  'evaluator',
  'input_files',
]);

/** The same JSON Schema, with `"{{name}}"` accepted in the place of each value. The schema itself stays as it is. */
export function withVariables(schema: JsonSchema): JsonSchema {
  const changed: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) changed[keyword] = ofKeyword(keyword, value);
  return changed as JsonSchema;
}

function ofKeyword(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
      return ofFields(value as Readonly<Record<string, JsonSchema>>);
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' ? orVariable(value as JsonSchema) : value;
    case 'anyOf':
    case 'allOf':
    case 'oneOf':
      return (value as readonly JsonSchema[]).map(withVariables);
    case 'then':
    case 'else':
      return withVariables(value as JsonSchema);
    default:
      return value;
  }
}

function ofFields(fields: Readonly<Record<string, JsonSchema>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      typeof field !== 'object' || NOT_TEMPLATES.has(name) ? field : orVariable(field),
    ]),
  );
}

/** A value of this schema, or a variable in its place. */
function orVariable(schema: JsonSchema): JsonSchema {
  const changed = withVariables(schema);
  if (takesAnyText(changed)) return changed;
  const { type } = changed;
  const types = (typeof type === 'string' ? [type] : (type ?? [])) as readonly string[];
  // One schema is better than a choice of two: editors say more about what is wrong with a value.
  if (types.length > 0 && !types.includes('string') && !hasChoices(changed))
    return {
      ...changed,
      type: [...types, 'string'],
      pattern: VARIABLE,
      patternErrorMessage: expected(types),
    };
  const { description, doNotSuggest, ...rest } = changed;
  const outer = Object.entries({ description, doNotSuggest }).filter(([, value]) => value !== undefined);
  const variable = { type: 'string', pattern: VARIABLE };
  const choices = Object.keys(rest).length === 1 && Array.isArray(rest['anyOf']) ? rest['anyOf'] : [rest];
  return { ...Object.fromEntries(outer), anyOf: [...choices, variable] } as JsonSchema;
}

/** Keywords that a text would have to fulfil as well. */
function hasChoices(schema: JsonSchema): boolean {
  return ['enum', 'const', 'anyOf', 'oneOf', '$ref'].some((keyword) => keyword in schema);
}

function takesAnyText(schema: JsonSchema): boolean {
  const { type, anyOf, $ref } = schema as {
    type?: string | readonly string[];
    anyOf?: readonly JsonSchema[];
    $ref?: string;
  };
  if (['enum', 'const', 'pattern', 'allOf', 'oneOf', 'not'].some((keyword) => keyword in schema))
    return false;
  if (anyOf !== undefined) return type === undefined && anyOf.some(takesAnyText);
  // An expected value can be any text, and a text in the place of an evaluator is a rubric.
  if ($ref !== undefined) return /\/(?:comparable|evaluator)$/.test($ref);
  return type === undefined || type === 'string' || (typeof type !== 'string' && type.includes('string'));
}

const NAMES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  object: 'an object (keys and values)',
};

function expected(types: readonly string[]): string {
  const names = types.filter((type) => type !== 'null').map((type) => NAMES[type] ?? type);
  return `Expected ${names.join(' or ')}, or a variable such as "{{name}}".`;
}
