import { jsonTypeOf, type Json, type JsonType } from '../../../model/json.ts';
import { byType } from '../../../schema/by-type.ts';
import { list } from '../../../schema/list.ts';
import { oneOf } from '../../../schema/values.ts';
import { SAMPLES, type Matcher } from '../matcher.ts';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;
type TypeName = (typeof TYPES)[number];

/** What people call a type elsewhere. */
const OTHER_NAMES: Readonly<Record<string, TypeName>> = {
  text: 'string',
  str: 'string',
  int: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  list: 'array',
  dict: 'object',
  map: 'object',
  mapping: 'object',
  none: 'null',
};

const typeName = oneOf(TYPES, {
  hintFor: (word) => {
    const name = word.toLowerCase();
    return Object.hasOwn(OTHER_NAMES, name) ? `write ${OTHER_NAMES[name]!}` : undefined;
  },
});

export const type: Matcher = {
  name: '$type',
  doc: 'A value of this type, or of one of these types. `1.0` is an `integer`.',
  example: { $type: 'string' },
  schema: byType({ string: typeName, array: list(typeName, { nonEmpty: true }) }),
  accepts: (argument) => [...new Set(namesIn(argument).map(jsonType))],
  holds: (argument, actual) => namesIn(argument).some((name) => isOfType(actual, name)),
  satisfying: (argument) =>
    SAMPLES.filter((value) => namesIn(argument).some((name) => isOfType(value, name))),
  breaking: (argument) => SAMPLES.filter((value) => !namesIn(argument).some((name) => isOfType(value, name))),
};

function namesIn(argument: Json): readonly TypeName[] {
  return (Array.isArray(argument) ? argument : [argument]) as readonly TypeName[];
}

function jsonType(name: TypeName): JsonType {
  return name === 'integer' ? 'number' : name;
}

function isOfType(value: Json, name: TypeName): boolean {
  return name === 'integer'
    ? typeof value === 'bigint' || Number.isInteger(value)
    : jsonTypeOf(value) === name;
}

/** Whether only integers match. */
export function wantsInteger(argument: Json): boolean {
  const names = namesIn(argument);
  return names.includes('integer') && !names.includes('number');
}
