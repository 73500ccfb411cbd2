import { isJsonObject, jsonTypeOf, type Json, type JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import { didYouMean, quoteName } from './did-you-mean.ts';
import type { PathSegment } from '../model/place.ts';
import type { Reader } from './reader.ts';
import type { Schema } from './schema.ts';

interface TextOptions {
  readonly label?: string;
  readonly nonEmpty?: boolean;
  /** The finding code if it is not a string. */
  readonly code?: string;
}

export function text({ label = 'text', nonEmpty = false, code = 'type' }: TextOptions = {}): Schema<string> {
  return {
    label,
    jsonSchema: { type: 'string', ...(nonEmpty ? { minLength: 1 } : {}) },
    read(value, reader) {
      if (typeof value !== 'string') return wrongType(value, reader, { wanted: 'text', code });
      if (nonEmpty && value.trim() === '') {
        reader.error({ code, message: `${subject(reader)} must not be empty` });
        return undefined;
      }
      return value;
    },
  };
}

interface NumberOptions {
  readonly min?: number;
  readonly max?: number;
  readonly integer?: boolean;
}

export function number({
  min = -Infinity,
  max = Infinity,
  integer = false,
}: NumberOptions = {}): Schema<number> {
  const kind = integer ? 'an integer' : 'a number';
  const range = describeRange(min, max);
  return {
    label: `${integer ? 'integer' : 'number'}${range}`,
    jsonSchema: {
      type: integer ? 'integer' : 'number',
      ...(min === -Infinity ? {} : { minimum: min }),
      ...(max === Infinity ? {} : { maximum: max }),
    },
    read(value, reader) {
      if (typeof value !== 'number' && typeof value !== 'bigint')
        return wrongType(value, reader, { wanted: kind });
      const size = Number(value);
      if (size >= min && size <= max && (!integer || Number.isSafeInteger(size))) return size;
      reader.error({
        code: 'range',
        message: `${subject(reader)} must be ${kind}${range}, but is ${shorten(String(value))}`,
        hint: max === 1 && size > 1 && size <= 100 ? `${size}% is written ${size / 100}` : undefined,
      });
      return undefined;
    },
  };
}

export function boolean(): Schema<boolean> {
  return {
    label: 'true or false',
    jsonSchema: { type: 'boolean' },
    read: (value, reader) =>
      typeof value === 'boolean' ? value : wrongType(value, reader, { wanted: 'true or false' }),
  };
}

export function anyJson(label = 'any value'): Schema<Json> {
  return { label, jsonSchema: {}, read: (value) => value };
}

export function jsonObject(label = 'object'): Schema<JsonObject> {
  return {
    label,
    jsonSchema: { type: 'object' },
    read: (value, reader) =>
      isJsonObject(value) ? value : wrongType(value, reader, { wanted: 'an object (keys and values)' }),
  };
}

interface ChoiceOptions {
  readonly code?: string;
  /** A hint for a word that is not a choice here but means the same in other tools. */
  readonly hintFor?: (word: string) => string | undefined;
}

export function oneOf<const T extends string>(
  choices: readonly T[],
  { code = 'value', hintFor }: ChoiceOptions = {},
): Schema<T> {
  const listed = choices.map(quoteName).join(', ');
  return {
    label: choices.map(quoteName).join(' or '),
    jsonSchema: { enum: choices },
    read(value, reader) {
      if (typeof value !== 'string') return wrongType(value, reader, { wanted: `one of ${listed}`, code });
      const choice = choices.find((candidate) => candidate === value);
      if (choice !== undefined) return choice;
      reader.error({
        code,
        message: `${quoteName(value)} is not one of ${listed}`,
        hint: hintFor?.(value) ?? didYouMean(value, choices),
      });
      return undefined;
    },
  };
}

interface Wanted {
  readonly wanted: string;
  readonly code?: string;
  readonly hint?: string;
}

/** Reports a value of the wrong type. If quotes would fix it, a hint says so. */
export function wrongType(value: Json, reader: Reader, { wanted, code = 'type', hint }: Wanted): undefined {
  const quotable = wanted === 'text' && ['number', 'boolean'].includes(jsonTypeOf(value));
  reader.error({
    code,
    message: `${subject(reader)} must be ${wanted}, but is ${describe(value)}`,
    hint: hint ?? (quotable ? quoteHint(reader) : undefined),
  });
  return undefined;
}

/** The value is left out: `007` is the number 7 by now, and quoting that would give another string. */
export function quoteHint(reader: Reader, ...below: PathSegment[]): string {
  const name = reader.variable(...below);
  return name === undefined
    ? 'put it in quotes'
    : `it is the value of the variable ${quoteName(name)}: put that in quotes where it is given`;
}

/** The name of the field for a message. */
export function subject(reader: Reader): string {
  const last = reader.path.at(-1);
  if (last === undefined) return 'the document';
  if (typeof last === 'string') return quoteName(last);
  const list = reader.path.findLast((segment) => typeof segment === 'string');
  return list === undefined ? `item ${last + 1}` : `item ${last + 1} of ${quoteName(list)}`;
}

export function describe(value: Json): string {
  switch (jsonTypeOf(value)) {
    case 'null':
      return 'null';
    case 'array':
      return 'a list';
    case 'object':
      return 'an object';
    case 'string':
      return `the text ${quoteText(value as string)}`;
    case 'number':
      return `the number ${shorten(printJson(value))}`;
    case 'boolean':
      return String(value);
  }
}

/** Text from a file in a message: quoted, and cut if it is long. */
export function quoteText(words: string): string {
  return shorten(JSON.stringify(words.slice(0, 100)));
}

function shorten(words: string): string {
  return words.length <= 40 ? words : `${words.slice(0, 37)}...`;
}

function describeRange(min: number, max: number): string {
  if (min !== -Infinity && max !== Infinity) return ` from ${min} to ${max}`;
  if (min !== -Infinity) return ` of at least ${min}`;
  return max === Infinity ? '' : ` of at most ${max}`;
}
