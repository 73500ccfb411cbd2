import { parseDuration } from '../base/schema/parse-duration.ts';
import { didYouMean } from '../base/schema/did-you-mean.ts';

/** One option of a command. The parser, the types, the help and the docs all use it. */
export type Option = Flag | ValueOption<unknown> | ListOption | OptionalOption | OptionalCount;

interface Described {
  readonly doc: string;
  readonly short?: string;
  /** A second long name, as another tool has it. */
  readonly alias?: string;
  /** Its heading in the help. */
  readonly group?: string;
}

export interface Flag extends Described {
  readonly takes: 'nothing';
}

/** Takes one value. */
export interface ValueOption<T> extends Described {
  readonly takes: 'value';
  /** The placeholder for the value in the help. */
  readonly placeholder: string;
  /** The form of a value, for a message: "an integer of at least 1". */
  readonly wanted: string;
  /** The message does not repeat the value. */
  readonly isSecret?: boolean;
  /** The only values, if there are few. */
  readonly choices?: readonly string[];
  /** The hint for an invalid value. */
  readonly hint?: (text: string) => string | undefined;
  /** Undefined if the text is not valid. */
  readonly read: (text: string) => T | undefined;
}

/** May be given more than once. */
export interface ListOption extends Described {
  readonly takes: 'values';
  readonly placeholder: string;
}

/** Stands alone, or has a value after `=`. */
export interface OptionalOption extends Described {
  readonly takes: 'maybe a value';
  readonly placeholder: string;
}

/** Stands alone, or has an integer after `=` or as the next word. */
export interface OptionalCount extends Described {
  readonly takes: 'maybe a number';
  readonly placeholder: string;
  /** What it means alone. */
  readonly alone: number;
}

export type OptionTable = Readonly<Record<string, Option>>;

type ValueOf<O> = O extends Flag
  ? boolean
  : O extends ListOption
    ? readonly string[] | undefined
    : O extends OptionalOption
      ? string | true | undefined
      : O extends OptionalCount
        ? number | undefined
        : O extends ValueOption<infer T>
          ? T | undefined
          : never;

/** The values of an option table on the command line. */
export type OptionValues<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> };

type Details = Omit<Described, 'doc'> & { readonly placeholder?: string };

export function flag(doc: string, details: Omit<Described, 'doc'> = {}): Flag {
  return { takes: 'nothing', doc, ...details };
}

export function text(doc: string, details: Details = {}): ValueOption<string> {
  return value(doc, { placeholder: 'TEXT', ...details, wanted: 'text', read: (given) => given });
}

export function list(doc: string, details: Details = {}): ListOption {
  return { takes: 'values', doc, placeholder: 'TEXT', ...details };
}

export function optional(doc: string, details: Details = {}): OptionalOption {
  return { takes: 'maybe a value', doc, placeholder: 'TEXT', ...details };
}

export function optionalCount(
  doc: string,
  { alone, ...details }: Details & { readonly alone: number },
): OptionalCount {
  return { takes: 'maybe a number', doc, placeholder: 'N', ...details, alone };
}

/** A value with its own parser. */
export function value<T>(
  doc: string,
  options: Omit<ValueOption<T>, 'doc' | 'takes'> & Omit<Described, 'doc'>,
): ValueOption<T> {
  return { takes: 'value', doc, ...options };
}

interface Range {
  readonly min?: number;
  readonly max?: number;
}

/** An integer, at least 1 unless the range starts elsewhere. */
export function count(doc: string, { min = 1, max, ...details }: Range & Details = {}): ValueOption<number> {
  return value(doc, {
    placeholder: 'N',
    ...details,
    wanted: max === undefined ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
    read(given) {
      const number = /^\d{1,9}$/.test(given) ? Number(given) : -1;
      return number >= min && number <= (max ?? Infinity) ? number : undefined;
    },
  });
}

/** `0.9` or `90%`. */
export function share(doc: string, details: Details = {}): ValueOption<number> {
  return value(doc, {
    placeholder: 'SHARE',
    ...details,
    wanted: 'a share such as 0.9 or 90%',
    hint: (given) => (readShare(`${given}%`) === undefined ? undefined : `did you mean ${given}%?`),
    read: readShare,
  });
}

export function readShare(given: string): number | undefined {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(given) ?? [];
  if (digits === undefined) return undefined;
  const number = percent === '%' ? Number(digits) / 100 : Number(digits);
  return number <= 1 ? number : undefined;
}

/** In milliseconds. */
export function duration(doc: string, details: Details = {}): ValueOption<number> {
  return value(doc, {
    placeholder: 'DURATION',
    ...details,
    wanted: 'a duration such as 90s, 2m or 500ms',
    read: parseDuration,
  });
}

export function choice<const T extends string>(
  doc: string,
  choices: readonly T[],
  details: Details = {},
): ValueOption<T> {
  return value(doc, {
    placeholder: 'NAME',
    ...details,
    wanted: `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    choices,
    hint: (given) => didYouMean(given, choices),
    read: (given) => choices.find((one) => one === given),
  });
}
