/** JSON Schema draft-07, as far as we use it. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * One description of data that Assay writes. Its TypeScript type and the published JSON Schema derive from it, so
 * neither can lack a field of the other.
 */
export interface Described<T> {
  readonly schema: JsonSchema;
  /** The named parts that the schema refers to. */
  readonly definitions: Readonly<Record<string, JsonSchema>>;
  /** Only for the type. */
  readonly type?: T;
}

/** A field that may be absent. */
interface Optional<T> extends Described<T> {
  readonly isOptional: true;
}

export type TypeOf<D> = D extends Described<infer T> ? T : never;

type Fields = Readonly<Record<string, Described<unknown>>>;
type OptionalKeys<F> = { [K in keyof F]: F[K] extends { isOptional: true } ? K : never }[keyof F];
type ObjectOf<F> = Flat<
  { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: TypeOf<F[K]> } & {
    readonly [K in OptionalKeys<F>]?: TypeOf<F[K]> | undefined;
  }
>;
type Flat<T> = { [K in keyof T]: T[K] };

/** `doc` is for readers of the schema and of the code alike. */
export function described<T>(schema: JsonSchema, doc?: string): Described<T> {
  return { schema: doc === undefined ? schema : { ...schema, description: doc }, definitions: {} };
}

export const text = (doc?: string): Described<string> => described({ type: 'string' }, doc);
export const flag = (doc?: string): Described<boolean> => described({ type: 'boolean' }, doc);
/** An integer from 0 on. */
export const count = (doc?: string): Described<number> => described({ type: 'integer', minimum: 0 }, doc);
export const amount = (doc?: string): Described<number> => described({ type: 'number', minimum: 0 }, doc);
/** 0..1. */
export const share = (doc?: string): Described<number> =>
  described({ type: 'number', minimum: 0, maximum: 1 }, doc);

export function oneOf<const T extends string>(values: readonly T[], doc?: string): Described<T> {
  return described({ enum: values }, doc);
}

export function list<T>(item: Described<T>, doc?: string): Described<readonly T[]> {
  const { schema } = described({ type: 'array', items: item.schema }, doc);
  return { schema, definitions: item.definitions };
}

export function optional<T>(field: Described<T>): Optional<T> {
  return { ...field, isOptional: true };
}

/** An object with exactly these fields: a field without a description is our mistake. */
export function closed<const F extends Fields>(fields: F, doc?: string): Described<ObjectOf<F>> {
  const entries = Object.entries(fields);
  const { schema } = described(
    {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, field]) => [name, field.schema])),
      required: entries.filter(([, field]) => !('isOptional' in field)).map(([name]) => name),
      additionalProperties: false,
    },
    doc,
  );
  return { schema, definitions: Object.assign({}, ...entries.map(([, field]) => field.definitions)) };
}

/** A part with its own name in the schema, because it is used in several places. */
export function named<T>(name: string, part: Described<T>): Described<T> {
  return {
    schema: { $ref: `#/definitions/${name}` },
    definitions: { ...part.definitions, [name]: part.schema },
  };
}

/** A field with its own description of a shared part. */
export function about<T>(field: Described<T>, doc: string): Described<T> {
  return { ...field, schema: { ...field.schema, description: doc } };
}

/** The published schema of a whole file or line. */
export function publishedSchema(title: string, { schema, definitions }: Described<unknown>): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...schema, definitions };
}
