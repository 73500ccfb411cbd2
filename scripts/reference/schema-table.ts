import type { JsonSchema } from '../../src/base/model/described.ts';

type Schemas = Readonly<Record<string, JsonSchema>>;

interface Row {
  readonly name: string;
  readonly aliases: string[];
  readonly value: string;
  readonly isRequired: boolean;
  readonly doc: string;
}

interface Options {
  readonly definitions?: Schemas;
  /** What the names of the fields begin with. */
  readonly prefix?: string;
  /** Fields that are described elsewhere. */
  readonly without?: readonly string[];
}

/** All fields of a JSON Schema, with those of the objects and lists below them, as a table in Markdown. */
export function schemaTable(schema: JsonSchema, options: Options = {}): string[] {
  return ['| field | value | required | |', '|---|---|---|---|', ...schemaRows(schema, options)];
}

export function schemaRows(schema: JsonSchema, options: Options = {}): string[] {
  return fieldRows(schema, options.prefix ?? '', options).map(({ name, aliases, value, isRequired, doc }) => {
    const names = [name, ...aliases].map((each) => `\`${each}\``).join(', ');
    return `| ${names} | ${escapeCell(value)} | ${isRequired ? 'yes' : ''} | ${escapeCell(doc)} |`;
  });
}

export function escapeCell(text: string): string {
  // In a code span, entities are shown as they are written.
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('<', '&lt;')))
    .join('')
    .replaceAll('|', String.raw`\|`);
}

const DEEPEST = 4;

function fieldRows(schema: JsonSchema, prefix: string, options: Options): Row[] {
  const {
    properties = {},
    required = [],
    allOf = [],
  } = schema as {
    readonly properties?: Schemas;
    readonly required?: readonly string[];
    readonly allOf?: readonly JsonSchema[];
  };
  const needed = new Set([...required, ...allOf.flatMap(oneRequired)]);
  const rows: Row[] = [];
  for (const [key, field] of Object.entries(properties)) {
    if (options.without?.includes(key) === true || field['doNotSuggest'] === true) continue;
    const description = String(field['description'] ?? resolve(field, options)['description'] ?? '');
    const [, main] = / \(same as "?`?([^"`)]+)`?"?\)$/.exec(description) ?? [];
    const known = main === undefined ? undefined : rows.find(({ name }) => name === prefix + main);
    if (known !== undefined) {
      known.aliases.push(key);
      continue;
    }
    rows.push({
      name: prefix + key,
      aliases: [],
      value: valueText(field, options),
      isRequired: needed.has(key),
      doc: description,
    });
    if (prefix.split(/[.[]/).length <= DEEPEST) rows.push(...rowsBelow(field, prefix + key, options));
  }
  return rows;
}

/** `{anyOf: [{required: [a]}, {required: [alias]}]}`: the first one is the field. */
function oneRequired({
  anyOf = [],
}: {
  readonly anyOf?: readonly { readonly required?: readonly string[] }[];
}) {
  return anyOf.slice(0, 1).flatMap(({ required = [] }) => required);
}

function rowsBelow(field: JsonSchema, name: string, options: Options): Row[] {
  const all = alternatives(field, options);
  const objects = all.filter(({ properties }) => properties !== undefined);
  // A choice of whole evaluators or messages has its own section.
  if (objects.length > 4) return [];
  const below = objects.flatMap((each) => fieldRows(each, `${name}.`, { ...options, without: [] }));
  for (const each of all) {
    const { items, additionalProperties } = each as { items?: JsonSchema; additionalProperties?: JsonSchema };
    if (items !== undefined) below.push(...rowsBelow(items, `${name}[]`, options));
    if (typeof additionalProperties === 'object')
      below.push(...rowsBelow(additionalProperties, `${name}.*`, options));
  }
  return below.filter((row, index) => below.findIndex((other) => other.name === row.name) === index);
}

/** The schemas of which a value has one. */
function alternatives(schema: JsonSchema, options: Options): JsonSchema[] {
  const whole = resolve(schema, options);
  const { anyOf, oneOf } = whole as { anyOf?: readonly JsonSchema[]; oneOf?: readonly JsonSchema[] };
  return (anyOf ?? oneOf)?.flatMap((each) => alternatives(each, options)) ?? [whole];
}

function resolve(schema: JsonSchema, { definitions = {} }: Options): JsonSchema {
  const name = String(schema['$ref'] ?? '').replace('#/definitions/', '');
  return definitions[name] ?? schema;
}

/** What a value may be, in words. */
export function valueText(schema: JsonSchema, options: Options = {}): string {
  const words = alternatives(schema, options).flatMap((each) => simpleText(each, options));
  return [...new Set(words)].filter((word) => word !== 'null').join(', or ') || 'any value';
}

function simpleText(schema: JsonSchema, options: Options): string[] {
  const {
    type,
    minimum,
    maximum,
    items,
    const: constant,
  } = schema as {
    readonly type?: string | readonly string[];
    readonly enum?: readonly unknown[];
    readonly minimum?: number;
    readonly maximum?: number;
    readonly items?: JsonSchema;
    readonly const?: unknown;
  };
  if (constant !== undefined) return [`\`${JSON.stringify(constant)}\``];
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) {
    const shown = values.filter((value) => value !== null);
    return [
      shown.map((value) => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``).join(', '),
    ];
  }
  const types = [type ?? []].flat();
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : minimum !== undefined && minimum > 0
        ? ` of at least ${minimum}`
        : '';
  return types.map((name) => {
    if (name === 'array')
      return items === undefined ? 'list' : `list of ${listItem(valueText(items, options))}`;
    if (name === 'integer' || name === 'number') return `${name}${range}`;
    return name;
  });
}

function listItem(text: string): string {
  return /^\w+$/.test(text) ? `${text}s` : `(${text})`;
}
