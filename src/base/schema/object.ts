import { isJsonObject, setOwn, type Json, type JsonObject } from '../model/json.ts';
import { closest, didYouMean, missingSpace, quoteName } from './did-you-mean.ts';
import type { Reader } from './reader.ts';
import { objectJsonSchema } from './object-json-schema.ts';
import { readingOf } from './refine.ts';
import type { Schema } from './schema.ts';
import { wrongType } from './values.ts';

export interface Field<T> {
  readonly schema: Schema<T>;
  readonly doc: string;
  /** The finding code if it is missing; a field without a code is optional. */
  readonly missing?: string;
  /** A field beside which this one may be missing. */
  readonly optionalBeside?: string;
  /** The same for other fields that take its place. */
  readonly replacedBy?: readonly string[];
  /** Other names of the field, each with the schema of its value. */
  readonly aliases?: Readonly<Record<string, Schema<T>>>;
  /** What to do if the field is given under two names: ignore the alias with a warning, or report an error. */
  readonly twice?: 'alias ignored' | 'error';
  /**
   * Which part of its value is not a template. `all`: nothing in it is, or its schema fills it in. `text`: a text is the
   * path of a file.
   */
  readonly verbatim?: 'all' | 'text';
  /** Only other tools write it: no hint proposes it. */
  readonly isForeign?: boolean;
  /** `value`: null is read like any other value. `absent`: null means "not given", without a warning. */
  readonly null?: 'value' | 'absent';
}

export type Fields = Readonly<Record<string, Field<unknown>>>;
export type FieldValue<F> = F extends Field<infer T> ? T : never;

/** Every field is optional in the type: a wrong one is reported and left out. */
export type ObjectOf<F> = { readonly [K in keyof F]?: FieldValue<F[K]> };

/** The type when required fields are present: for an object that is read completely or not at all. */
export type CompleteOf<F> = {
  readonly [K in keyof F as F[K] extends { readonly missing: string } ? K : never]: FieldValue<F[K]>;
} & {
  readonly [K in keyof F as F[K] extends { readonly missing: string } ? never : K]?: FieldValue<F[K]>;
};

interface ObjectOptions {
  /** What the object is, for messages: "an eval case". */
  readonly what: string;
  /** An unknown key is an error or a warning, or is gathered under `config`. Default: error. */
  readonly unknown?: 'error' | 'warning' | 'config';
  /** With unknown `warning`: an unknown key that looks like one of these (known here or not) is still an error. */
  readonly guarded?: readonly string[];
  /** Fields that are needed beside the others of a value: a key that looks like one of them is an error. */
  readonly needs?: (value: JsonObject) => readonly string[];
  /** Keys that are known not to work, each with what to do instead. */
  readonly ignored?: Readonly<Record<string, string>>;
  /** Unknown keys that are an error even where others are a warning, each with what to do instead. */
  readonly refused?: Readonly<Record<string, string>>;
  /** Hints for unknown keys that other tools use. */
  readonly hintFor?: (key: string) => string | undefined;
  /** The field that an unknown key belongs inside of. Beside such a key, null in that field is not reported too. */
  readonly belongsIn?: (key: string) => string | undefined;
}

export interface ObjectSchema<F> extends Schema<ObjectOf<F>> {
  readonly fields: F;
  readonly what: string;
}

export function object<const F extends Fields>(fields: F, options: ObjectOptions): ObjectSchema<F> {
  // Made when first read: a run reads few of all shapes.
  let made: ReturnType<typeof makeTables> | undefined;
  const makeTables = () => ({ names: nameTable(fields), required: requiredFields(fields) });
  const tables = () => (made ??= makeTables());
  /** `tool: search` for `search`, where the object has one field that counts. */
  const hintForShape = (value: Json): string => {
    const { required } = tables();
    const first = required[0]?.field ?? Object.keys(fields)[0] ?? 'key';
    return typeof value === 'string' && required.length <= 1 && value.length < 60 && !value.includes('\n')
      ? `write \`${first}: ${value}\``
      : `write \`${first}: ...\``;
  };
  return {
    label: 'object',
    what: options.what,
    fields,
    get jsonSchema() {
      return objectJsonSchema(fields, options);
    },
    read(value, reader) {
      const { names, required } = tables();
      if (!isJsonObject(value))
        return wrongType(value, reader, { wanted: `an object (${options.what})`, hint: hintForShape(value) });
      const result: Record<string, unknown> = {};
      const reading = { value, reader, result, belongsIn: options.belongsIn };
      let misspelled: Set<string> | undefined;
      // Once for all unknown keys: there may be very many.
      let surroundings: Pick<UnknownReading, 'absent' | 'isOnlyUnknown'> | undefined;
      for (const key of Object.keys(value)) {
        const name = names.get(key);
        if (name !== undefined) readField(key, name, reading);
        else {
          surroundings ??= {
            absent: [
              ...required.filter((each) => isAbsent(each, value)).map(({ field }) => field),
              ...(options.needs?.(value) ?? []),
            ],
            isOnlyUnknown: Object.keys(value).filter((other) => !names.has(other)).length === 1,
          };
          const meant = readUnknown(key, value, { reader, options, names, result, ...surroundings });
          if (meant !== undefined) (misspelled ??= new Set()).add(meant);
        }
      }
      for (const each of required) {
        const { field, code } = each;
        // A misspelled field is reported as misspelled; also reporting it as missing would add nothing.
        if (isAbsent(each, value) && misspelled?.has(field) !== true)
          reportMissing(field, code, { fields, value, reader, what: options.what });
      }
      return result as ObjectOf<F>;
    },
  };
}

/** The same object, read completely or not at all: after an error there is no value. */
export function complete<F>(schema: ObjectSchema<F>): Schema<CompleteOf<F>> {
  return readingOf(schema as Schema<unknown>, (value, reader) => {
    const errorsBefore = reader.errorCount;
    const read = schema.read(value, reader);
    // Every required field was present, or its absence was an error.
    return reader.errorCount === errorsBefore ? (read as CompleteOf<F>) : undefined;
  });
}

/** A map from any name to values of one shape. */
export function mapOf<T>(item: Schema<T>): Schema<Readonly<Record<string, T>>> {
  return {
    label: `map of name to ${item.label}`,
    get jsonSchema() {
      return { type: 'object', additionalProperties: item.jsonSchema };
    },
    read(value, reader) {
      if (!isJsonObject(value))
        return wrongType(value, reader, {
          wanted: 'an object (keys and values)',
          hint: 'write `key: value` on each line',
        });
      const result: Record<string, Json> = {};
      for (const key of Object.keys(value)) {
        reader.enter(key);
        const read = item.read(value[key]!, reader);
        reader.leave();
        if (read !== undefined) setOwn(result, key, read as Json);
      }
      return result as Readonly<Record<string, T>>;
    },
  };
}

interface Name {
  readonly field: string;
  readonly definition: Field<unknown>;
  readonly schema: Schema<unknown>;
}

function nameTable(fields: Fields): Map<string, Name> {
  const names = new Map<string, Name>();
  for (const [field, definition] of Object.entries(fields)) {
    names.set(field, { field, definition, schema: definition.schema });
    for (const [alias, schema] of Object.entries(definition.aliases ?? {}))
      names.set(alias, { field, definition, schema });
  }
  return names;
}

function requiredFields(fields: Fields) {
  return Object.entries(fields).flatMap(([field, definition]) =>
    definition.missing === undefined
      ? []
      : [
          {
            field,
            aliases: [...Object.keys(definition.aliases ?? {}), ...(definition.replacedBy ?? [])],
            code: definition.missing,
          },
        ],
  );
}

function isAbsent({ field, aliases }: ReturnType<typeof requiredFields>[number], value: JsonObject): boolean {
  return !isPresent(value, field) && !aliases.some((alias) => isPresent(value, alias));
}

interface FieldReading {
  readonly value: JsonObject;
  readonly reader: Reader;
  readonly result: Record<string, unknown>;
  readonly belongsIn: ObjectOptions['belongsIn'];
}

function readField(
  key: string,
  { field, definition, schema }: Name,
  { value, reader, result, belongsIn }: FieldReading,
): void {
  const authored = value[key]!;
  reader.enter(key);
  if (key !== winningName(field, definition, value))
    reportLosingName(key, field, { definition, value, reader });
  else if (authored === null && definition.null !== 'value') {
    const isReported =
      definition.null === 'absent' ||
      definition.missing !== undefined ||
      (belongsIn !== undefined && Object.keys(value).some((other) => belongsIn(other) === key));
    if (!isReported) {
      reader.warning({
        code: 'null_value',
        message: `${quoteName(key)} is null, which means not given`,
        hint: 'leave it out',
      });
    }
  } else {
    const read = schema.read(authored, reader);
    if (read !== undefined) result[field] = read;
  }
  reader.leave();
}

/** The canonical name, unless it is absent or null; then the first alias given. */
function winningName(field: string, definition: Field<unknown>, value: JsonObject): string {
  if (definition.aliases === undefined || isPresent(value, field)) return field;
  for (const alias of Object.keys(definition.aliases)) if (isPresent(value, alias)) return alias;
  if (Object.hasOwn(value, field)) return field;
  return Object.keys(definition.aliases).find((alias) => Object.hasOwn(value, alias)) ?? field;
}

function reportLosingName(
  key: string,
  field: string,
  { definition, value, reader }: { definition: Field<unknown>; value: JsonObject; reader: Reader },
): void {
  const winner = winningName(field, definition, value);
  if (value[key] === null) {
    // Both are null: reported once, at the winner.
    if (value[winner] === null) return;
    reader.warning({
      code: key === field ? 'null_canonical' : 'null_value',
      message: `${quoteName(key)} is null, which means not given; ${quoteName(winner)} is used`,
      hint: 'leave it out',
    });
  } else if (definition.twice === 'error') {
    reader.error({
      code: 'given_twice',
      message: `${quoteName(key)} and ${quoteName(winner)} are the same field; give one of them`,
      onKey: true,
    });
  } else {
    reader.warning({
      code: 'alias_ignored',
      message: `${quoteName(key)} is ignored because ${quoteName(winner)} is present too`,
      hint: `remove one of them`,
      onKey: true,
    });
  }
}

interface UnknownReading {
  readonly reader: Reader;
  readonly options: ObjectOptions;
  readonly names: ReadonlyMap<string, Name>;
  readonly result: Record<string, unknown>;
  /** Required fields that are not there. */
  readonly absent: readonly string[];
  readonly isOnlyUnknown: boolean;
}

/** Returns the field that the author meant, if an error has named it. */
function readUnknown(
  key: string,
  value: JsonObject,
  { reader, options, names, result, absent, isOnlyUnknown }: UnknownReading,
): string | undefined {
  const { what, unknown = 'error', guarded = [], ignored = {}, refused = {}, hintFor } = options;
  const isRefused = Object.hasOwn(refused, key);
  if (unknown === 'config') {
    setOwn((result['config'] ??= {}) as Record<string, Json>, key, value[key]!);
    return undefined;
  }
  if (Object.hasOwn(ignored, key)) {
    reader.warning({
      code: 'ignored_field',
      message: `${quoteName(key)} is ignored`,
      hint: ignored[key],
      at: [key],
      onKey: true,
    });
    return undefined;
  }
  const known = (isRefused ? refused[key] : hintFor?.(key)) ?? missingSpace(key, names.keys());
  const near = closest(key, [...names.keys(), ...guarded]);
  // The only key that does not belong there, and the only one that is missing: it was meant for it.
  const stranger =
    near === undefined && unknown === 'error' && isOnlyUnknown && absent.length === 1 ? absent[0] : undefined;
  const meant = near ?? stranger;
  const problem = {
    code: 'unknown_field',
    message: `${what} has no field ${quoteName(key)}`,
    hint:
      known ??
      didYouMean(key, ownNames(names)) ??
      (stranger === undefined ? undefined : `did you mean ${quoteName(stranger)}?`) ??
      `the fields are ${ownNames(names).map(quoteName).join(', ')}`,
    at: [key],
    onKey: true,
  };
  const field = meant === undefined ? undefined : names.get(meant)?.field;
  const isError =
    isRefused ||
    unknown === 'error' ||
    (field !== undefined && absent.includes(field)) ||
    (meant !== undefined && guarded.includes(meant)) ||
    guards(key, guarded);
  if (!isError) {
    reader.warning(problem);
    return undefined;
  }
  reader.error(problem);
  return hintFor?.(key) === undefined ? field : undefined;
}

function ownNames(names: ReadonlyMap<string, Name>): readonly string[] {
  return [...names].filter(([, { definition }]) => definition.isForeign !== true).map(([name]) => name);
}

/**
 * `expected`, `expect`, `expected_answer`: too far from any one name, but clearly one of those with the same
 * beginning.
 */
function guards(key: string, guarded: readonly string[]): boolean {
  return /^expect/i.test(key) && guarded.some((name) => name.startsWith('expect'));
}

interface MissingField {
  readonly fields: Fields;
  readonly value: JsonObject;
  readonly reader: Reader;
  readonly what: string;
}

function reportMissing(field: string, code: string, { fields, value, reader, what }: MissingField): void {
  const names = [field, ...Object.keys(fields[field]!.aliases ?? {})];
  // A name that is present with null is the place to look.
  const named = names.find((name) => Object.hasOwn(value, name)) ?? field;
  const others = names.filter((name) => name !== named).map(quoteName);
  reader.error({
    code,
    message: `${what} needs ${quoteName(named)}${value[named] === null ? ', but it is null' : ''}`,
    hint: `add ${quoteName(named)}${others.length === 0 ? '' : ` (or ${others.join(', ')})`}`,
    at: [named],
  });
}

function isPresent(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== null;
}
