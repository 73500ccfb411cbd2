import { isJsonObject, type Json, type JsonType } from '../../../model/json.ts';
import { list } from '../../../schema/list.ts';
import { anyJson } from '../../../schema/values.ts';
import { ALL_TYPES, SAMPLES, type Matcher } from '../matcher.ts';

export const oneOf: Matcher = {
  name: '$oneOf',
  doc: 'A value that equals or matches one of these. With `{$absent: true}` among them it may be absent.',
  example: { $oneOf: ['paid', 'open'] },
  schema: list(anyJson(), { nonEmpty: true, label: 'list of values' }),
  inner: 'items',
  accepts: (argument, typesOf) => [...new Set(choicesIn(argument).flatMap(typesOf))],
  holds: (argument, actual, compare) => choicesIn(argument).some((choice) => compare(choice, actual)),
  satisfying: (argument, sample) => choicesIn(argument).flatMap((choice) => sample(choice).slice(0, 3)),
  breaking: (argument) => [
    ...SAMPLES,
    ...choicesIn(argument).map((choice) => (typeof choice === 'string' ? `${choice} (changed)` : 'changed')),
  ],
};

export const not: Matcher = {
  name: '$not',
  doc: 'A value that is there and neither equals nor matches this.',
  example: { $not: 'cancelled' },
  schema: anyJson(),
  inner: 'value',
  accepts: (argument, typesOf) => {
    // Only where every value of a type matches is the type excluded.
    const isAboutType = isJsonObject(argument) && Object.keys(argument).every((key) => WHOLE_TYPES.has(key));
    const excluded = isAboutType && Object.keys(argument).length > 0 ? wholeTypes(argument, typesOf) : [];
    return ALL_TYPES.filter((type) => !excluded.includes(type));
  },
  holds: (argument, actual, compare) => !compare(argument, actual),
  satisfying: () => SAMPLES,
  breaking: (argument, sample) => sample(argument),
};

const WHOLE_TYPES = new Set(['$any', '$type']);

/** The types of `{$type: ...}` or `{$any: true}`; `integer` leaves other numbers. */
function wholeTypes(argument: Json, typesOf: (expected: Json) => readonly JsonType[]): readonly JsonType[] {
  const named = isJsonObject(argument) ? argument['$type'] : undefined;
  const names = Array.isArray(named) ? named : [named];
  const hasPart = names.includes('integer') && !names.includes('number');
  return typesOf(argument).filter((type) => !(hasPart && type === 'number'));
}

export function choicesIn(argument: Json): readonly Json[] {
  return argument as readonly Json[];
}
