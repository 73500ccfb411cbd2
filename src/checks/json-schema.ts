import { isJsonObject, ownValue, type Json, type JsonObject } from '../base/model/json.ts';
import { formatPath, type PathSegment } from '../base/model/place.ts';
import type { SchemaCheck } from '../base/model/schema-check.ts';
import { searchJs } from '../base/match/search-js.ts';

/** Checks values against one schema. */
export type CompiledSchema = (value: unknown) => SchemaCheck;

/**
 * Compiles a JSON Schema: of 2020-12, or of the draft that its `$schema` names. Rejects if the schema is not valid.
 * The validator is large, so it is loaded on first use.
 */
export async function compileJsonSchema(schema: JsonObject): Promise<CompiledSchema> {
  const notes = [...formatNotes(schema)];
  const validate = await compileValidator(schema, {
    onNote: (words) => void notes.push(words),
  });
  return (value) => {
    validate(value);
    const violations = (validate.errors ?? []).map(({ instancePath, message = 'is not valid', params }) => {
      return `${placeOf(instancePath)} ${message}${detailOf(params)}`;
    });
    return { violations: [...new Set(violations)], notes: [...new Set(notes)] };
  };
}

interface ValidatorOptions {
  onNote(words: string): void;
  /** Missing members with a `default` are added to the value. */
  readonly addsDefaults?: boolean;
}

/** The bare validator, for callers that report violations in their own way. */
export async function compileValidator(
  schema: JsonObject,
  { onNote, addsDefaults = false }: ValidatorOptions,
): Promise<Validator> {
  const ValidatorOf = await validatorFor(schema['$schema']);
  const note = (...words: unknown[]): void => onNote(words.join(' ').replace('strict mode: ', ''));
  const ajv = new ValidatorOf({
    allErrors: true,
    strict: false,
    strictSchema: 'log',
    validateFormats: false,
    ownProperties: true,
    useDefaults: addsDefaults,
    logger: { log: note, warn: note, error: note },
    // The patterns of a schema run on the agent's text: they must terminate.
    code: { regExp: boundedRegExp },
  });
  return ajv.compile(schema);
}

async function validatorFor(draft: unknown): Promise<ValidatorClass> {
  if (typeof draft !== 'string' || draft.includes('2020-12')) {
    return (await import('ajv/dist/2020.js')).Ajv2020 as unknown as ValidatorClass;
  }
  if (draft.includes('2019-09'))
    return (await import('ajv/dist/2019.js')).Ajv2019 as unknown as ValidatorClass;
  return (await import('ajv')).Ajv as unknown as ValidatorClass;
}

/** The small part of it that is used. */
type ValidatorClass = new (options: object) => { compile(schema: object): Validator };

export interface Validator {
  (value: unknown): boolean;
  readonly errors?: readonly Violation[] | null;
}

export interface Violation {
  readonly instancePath: string;
  readonly keyword?: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The validator keeps compiled patterns by their text. */
const boundedRegExp = Object.assign(
  (pattern: string, flags: string) => ({
    test: searchJs(pattern, flags),
    toString: () => `/${pattern}/${flags}`,
  }),
  { code: 'boundedRegExp' },
);

/** Formats are annotations: without a checker, a note must say that they were not checked. */
function formatNotes(schema: Json): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const inner = Object.values(schema).flatMap((value: Json) => formatNotes(value));
  const format = isJsonObject(schema) ? ownValue(schema, 'format') : undefined;
  return typeof format === 'string' ? [`the format "${format}" is not checked`, ...inner] : inner;
}

/** From a JSON pointer. It assumes that a number is a list index, which is good enough for a message. */
function placeOf(pointer: string): string {
  return pointer === '' ? 'the output' : formatPath(pointerPath(pointer));
}

export function pointerPath(pointer: string): readonly PathSegment[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((part): PathSegment => {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      return /^\d+$/.test(key) ? Number(key) : key;
    });
}

export function detailOf(params: Readonly<Record<string, unknown>>): string {
  if (typeof params['additionalProperty'] === 'string') return ` ("${params['additionalProperty']}")`;
  if (Array.isArray(params['allowedValues'])) return ` (${JSON.stringify(params['allowedValues'])})`;
  return Object.hasOwn(params, 'allowedValue') ? ` (${JSON.stringify(params['allowedValue'])})` : '';
}
