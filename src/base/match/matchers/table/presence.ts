import { jsonTypeOf, type Json } from '../../../model/json.ts';
import type { Schema } from '../../../schema/schema.ts';
import { anyJson, subject } from '../../../schema/values.ts';
import { jsonEqual } from '../../json-equal.ts';
import { ALL_TYPES, SAMPLES, type Matcher } from '../matcher.ts';

/** A matcher that is only switched on: `false` would be read as its opposite, and is not. */
function onlyTrue(instead: string): Schema<true> {
  return {
    label: '`true`',
    jsonSchema: { const: true },
    read(value, reader) {
      if (value === true) return true;
      reader.error({ code: 'value', message: `${subject(reader)} takes only \`true\``, hint: instead });
      return undefined;
    },
  };
}

export const any: Matcher = {
  name: '$any',
  doc: 'Any value that is present, including `null`.',
  example: { $any: true },
  schema: onlyTrue('for a value that must not be there write {$absent: true}'),
  accepts: () => ALL_TYPES,
  holds: () => true,
  satisfying: () => ['text'],
  // Only an absent value does not match.
  breaking: () => [],
};

export const absent: Matcher = {
  name: '$absent',
  doc: 'Only an absent value: `null` is a value.',
  example: { $absent: true },
  schema: onlyTrue('for a value that must be there write {$any: true}'),
  accepts: () => [],
  holds: () => false,
  satisfying: () => [],
  breaking: () => ['text'],
};

export const literal: Matcher = {
  name: '$literal',
  doc: 'Exactly this value: nothing inside it is a matcher.',
  example: { $literal: { $gte: 5 } },
  schema: anyJson(),
  accepts: (argument) => [jsonTypeOf(argument)],
  holds: (argument, actual) => jsonEqual(argument, actual),
  satisfying: (argument) => [argument],
  breaking: (argument): readonly Json[] => SAMPLES.filter((value) => !jsonEqual(argument, value)),
};
