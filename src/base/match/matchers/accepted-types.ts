import { jsonTypeOf, type Json, type JsonType } from '../../model/json.ts';
import { ALL_TYPES } from './matcher.ts';
import { isMatcher, partsOf } from './read-matcher.ts';

/** The types of the values that can match an expected value. */
export function acceptedTypes(expected: Json): readonly JsonType[] {
  if (!isMatcher(expected)) return [jsonTypeOf(expected)];
  return partsOf(expected).reduce<readonly JsonType[]>((types, { matcher, argument }) => {
    const own = matcher.accepts(argument, acceptedTypes);
    return types.filter((type) => own.includes(type));
  }, ALL_TYPES);
}
