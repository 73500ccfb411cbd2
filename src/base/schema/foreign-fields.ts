import type { Field, Fields } from './object.ts';
import type { Schema } from './schema.ts';
import { subject } from './values.ts';

type Hints = Readonly<Record<string, string>>;
type ForeignFields<T> = Readonly<Record<keyof T, Field<never>>>;

/** Fields of another tool that are read. */
export function foreignFields<const F extends Fields>(fields: F): F {
  const marked = Object.entries(fields).map(
    ([name, field]) => [name, { ...field, isForeign: true }] as const,
  );
  return Object.fromEntries(marked) as unknown as F;
}

/** Fields of another tool that would change what is tested, each with what to do instead. The file does not run. */
export function unsupportedFields<const T extends Hints>(hints: T): ForeignFields<T> {
  return fieldsOf(hints, unsupported, 'Not supported.');
}

/** Fields of another tool about a whole run, each with what sets it here. They change no test. */
export function runSettings<const T extends Hints>(hints: T): ForeignFields<T> {
  return fieldsOf(hints, runSetting, 'Not read.');
}

function fieldsOf<const T extends Hints>(
  hints: T,
  schemaOf: (hint: string) => Schema<never>,
  doc: string,
): ForeignFields<T> {
  const fields = Object.entries(hints).map(
    ([name, hint]) => [name, { schema: schemaOf(hint), doc, isForeign: true }] as const,
  );
  return Object.fromEntries(fields) as unknown as ForeignFields<T>;
}

/** A value that would change what is tested. */
export function unsupported(hint: string): Schema<never> {
  return {
    label: 'not supported',
    jsonSchema: {},
    read(_value, reader) {
      reader.unsupported({ message: `${subject(reader)} is not supported`, hint, onKey: true });
      return undefined;
    },
  };
}

function runSetting(hint: string): Schema<never> {
  return {
    label: 'not read',
    jsonSchema: {},
    read(_value, reader) {
      const message = `${subject(reader)} is not read here`;
      reader.warning({ code: 'ignored_field', message, hint, onKey: true });
      return undefined;
    },
  };
}
