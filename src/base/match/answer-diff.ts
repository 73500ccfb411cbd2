import { jsonTypeOf, type Json, type JsonObject } from '../model/json.ts';
import { printJson } from '../model/print-json.ts';
import { findFenced } from './find-json.ts';
import { jsonDiff, type DiffOptions, type JsonDifference } from './json-diff.ts';
import { jsonMatches, type MatchOptions } from './json-matches.ts';
import { acceptedTypes } from './matchers/accepted-types.ts';
import { isMatcher, partsOf, type MatcherPart } from './matchers/read-matcher.ts';
import { shownExpected } from './matchers/shown-expected.ts';
import { choicesIn, not, oneOf } from './matchers/table/choices.ts';

/**
 * Where the answer of an agent differs from the expected one. An answer is a text, and often JSON too. Each value that it is compared
 * with decides which of the two it reads, also inside of `$not` and `$oneOf`: so a value and its `$not` never both hold.
 */
export function answerDiff(expected: Json, answer: Json, options: DiffOptions): readonly JsonDifference[] {
  if (!isMatcher(expected)) return jsonDiff(expected, readAnswer(expected, answer), options);
  const { own, nested } = split(expected);
  return [
    ...(own === undefined ? [] : jsonDiff(own, readAnswer(own, answer), options)),
    ...nested
      .filter((part) => !nestedHolds(part, answer, options))
      .map(({ matcher, authored }): JsonDifference => {
        const actual = readAnswer(expected, answer);
        return {
          kind: 'different',
          path: options.root ?? '',
          expected: authored,
          actual,
          matcher: matcher.name,
        };
      }),
  ];
}

/**
 * Text is compared as text; where something structured is expected, the text of the answer is read as JSON. A matcher gets the
 * JSON only if it can match it: the answer "42" is a text for `$regex`.
 */
export function readAnswer(expected: Json, answer: Json): Json {
  if (typeof expected === 'string') return answer;
  const types = isMatcher(expected) ? acceptedTypes(expected) : undefined;
  if (typeof answer !== 'string') {
    const isAboutText = types?.includes('string') === true && !types.includes(jsonTypeOf(answer));
    // A message may have structured content: its text is its JSON.
    return isAboutText ? printJson(answer) : answer;
  }
  if (types?.every((type) => type === 'string') === true) return answer;
  const found = findFenced(answer);
  if (found.kind !== 'one') return answer;
  const canMatch =
    types === undefined || types.includes(jsonTypeOf(found.value)) || !types.includes('string');
  return canMatch ? found.value : answer;
}

/** The expected answer to show beside the actual one: a matcher that holds is shown as what it met. */
export function shownAnswer(expected: Json, answer: Json, options: MatchOptions): Json {
  const actual = readAnswer(expected, answer);
  if (!isMatcher(expected)) return shownExpected(expected, actual, options);
  if (answerMatches(expected, answer, options)) return actual;
  const { own, nested } = split(expected);
  const failed = nested.filter((part) => !nestedHolds(part, answer, options));
  if (own !== undefined && failed.length === 0) return shownExpected(own, readAnswer(own, answer), options);
  return Object.assign({}, ...failed.map(({ authored }) => authored)) as JsonObject;
}

function answerMatches(expected: Json, answer: Json, options: MatchOptions): boolean {
  if (!isMatcher(expected)) return jsonMatches(expected, readAnswer(expected, answer), options);
  const { own, nested } = split(expected);
  return (
    (own === undefined || jsonMatches(own, readAnswer(own, answer), options)) &&
    nested.every((part) => nestedHolds(part, answer, options))
  );
}

function nestedHolds({ matcher, argument }: MatcherPart, answer: Json, options: MatchOptions): boolean {
  return matcher === not
    ? !answerMatches(argument, answer, options)
    : choicesIn(argument).some((choice) => answerMatches(choice, answer, options));
}

/** The parts that look at the answer together, and those whose arguments look at it on their own. */
function split(mapping: JsonObject): {
  readonly own: JsonObject | undefined;
  readonly nested: readonly MatcherPart[];
} {
  const parts = partsOf(mapping);
  const isNested = ({ matcher }: MatcherPart): boolean => matcher === not || matcher === oneOf;
  const own = parts.filter((part) => !isNested(part)).map(({ authored }) => authored);
  return {
    own: own.length === 0 ? undefined : (Object.assign({}, ...own) as JsonObject),
    nested: parts.filter(isNested),
  };
}
