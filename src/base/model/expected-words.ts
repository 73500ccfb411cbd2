import { isJsonList, isJsonObject, type Json } from './json.ts';
import { printSpaced } from './print-spaced.ts';

/**
 * An expected value that is a rule, in words: `not containing "sorry"`. A claim such as `output.not_includes` has one
 * although its author wrote no matcher. Undefined for data, and for matchers that are clearer as they are written.
 */
export function expectedWords(expected: Json): string | undefined {
  if (!isJsonObject(expected)) return undefined;
  const rules = Object.entries(expected);
  if (rules.length === 0 || rules.some(([name]) => !WORDS.has(name))) return undefined;
  return rules.map(([name, argument]) => WORDS.get(name)!(argument)).join(' and ');
}

const inner = (value: Json): string => expectedWords(value) ?? printSpaced(value);
const listed = (value: Json): string => (isJsonList(value) ? value.map(inner).join(', ') : inner(value));

const WORDS = new Map<string, (argument: Json) => string>([
  ['$not', (value) => `not ${inner(value)}`],
  ['$any', () => 'any value'],
  ['$absent', (value) => (value === true ? 'absent' : `{$absent: ${inner(value)}}`)],
  ['$contains', (value) => `containing ${inner(value)}`],
  ['$regex', (value) => `matching the pattern ${inner(value)}`],
  ['$oneOf', (value) => `one of ${listed(value)}`],
  ['$gte', (value) => `at least ${inner(value)}`],
  ['$gt', (value) => `more than ${inner(value)}`],
  ['$lte', (value) => `at most ${inner(value)}`],
  ['$lt', (value) => `less than ${inner(value)}`],
  ['$length', (value) => `of length ${inner(value)}`],
]);
