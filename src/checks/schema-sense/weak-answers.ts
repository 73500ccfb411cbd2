import { isJsonObject, type Json, type JsonObject } from '../../base/model/json.ts';
import type { WeakAnswer } from '../contract/weak-answer.ts';
import { acceptsEverything } from './accepts-everything.ts';

/** Answers that a schema may accept although its author hardly means them. */
export function weakAnswers(schema: Json | undefined): readonly (readonly WeakAnswer[])[] {
  if (!isJsonObject(schema) || acceptsEverything(schema)) return [];
  return [emptyObject(schema), emptyList(schema), otherTypes(schema)];
}

function emptyObject({ properties }: JsonObject): readonly WeakAnswer[] {
  if (!isJsonObject(properties) || Object.keys(properties).length === 0) return [];
  const why = 'names properties, but requires none';
  return [{ code: 'empty_json_passes', output: '{}', why, hint: 'add `required` to the schema' }];
}

/** An author who sets a number of items, even 0, has thought about it. */
function emptyList({ type, minItems, maxItems }: JsonObject): readonly WeakAnswer[] {
  if (type !== 'array' || minItems !== undefined || maxItems === 0) return [];
  const hint = 'add `minItems: 1` to the schema, or `minItems: 0` if an empty list is fine';
  return [{ code: 'empty_json_passes', output: '[]', why: 'requires a list, but no items', hint }];
}

/** Keywords constrain values of one type only: all other types pass. */
function otherTypes(schema: JsonObject): readonly WeakAnswer[] {
  if (Object.hasOwn(schema, 'type')) return [];
  const described = Object.keys(KEYWORDS).filter((type) =>
    KEYWORDS[type]!.some((keyword) => Object.hasOwn(schema, keyword)),
  );
  if (described.length !== 1) return [];
  const [type] = described as [string];
  const why = `describes ${WORDS[type]!}, but does not require one`;
  const hint = `add \`type: ${type}\` to the schema`;
  return Object.entries(WITNESSES)
    .filter(([other]) => other !== type)
    .map(([, output]) => ({ code: 'untyped_schema', output, why, hint }));
}

const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'dependentRequired',
    'dependentSchemas',
  ],
  array: ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems'],
  string: ['pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
};

const WORDS: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'a text',
  number: 'a number',
};

const WITNESSES: Readonly<Record<string, string>> = { string: '"x"', number: '5' };
