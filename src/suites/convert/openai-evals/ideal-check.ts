import { isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import { BudgetError, compile, PatternError, search } from '../../../base/match/python-re/index.ts';
import { readJson } from '../../formats/read-json.ts';

/** What a class of OpenAI's evals checks, or why Assay cannot. */
export type IdealCheck =
  | { readonly evaluator: JsonObject; readonly lost?: string; readonly note?: string }
  | { readonly problem: string };

/** The check of a sample. Any of the ideal answers is enough. */
export const CLASSES: Readonly<
  Record<string, (ideals: readonly string[], ignoresCase: boolean) => IdealCheck>
> = {
  Match: startsWithAny,
  Includes: (ideals, ignoresCase) => (ignoresCase ? includesIgnoringCase(ideals) : includesAny(ideals)),
  FuzzyMatch: fuzzyMatch,
  JsonMatch: jsonMatch,
};

function startsWithAny(ideals: readonly string[]): IdealCheck {
  const [only] = ideals;
  if (ideals.length === 1) return { evaluator: { type: 'starts_with', value: only! } };
  return { evaluator: { type: 'regex', value: String.raw`\A(?:${ideals.map(escape).join('|')})` } };
}

function includesAny(ideals: readonly string[]): IdealCheck {
  const [only] = ideals;
  if (ideals.length === 1) return { evaluator: { type: 'contains', value: only! } };
  return { evaluator: { type: 'contains_any', value: ideals } };
}

/** Python's lower case: other than `icontains`, it never makes ß and SS the same. */
function includesIgnoringCase(ideals: readonly string[]): IdealCheck {
  const [only] = ideals;
  if (ideals.length === 1 && /^[\x20-\x7e]*$/.test(only!) && !/ss|f[fil]|st/i.test(only!))
    return { evaluator: { type: 'icontains', value: only! } };
  return { evaluator: { type: 'regex', value: ideals.map(escape).join('|'), flags: 'i' } };
}

/** ASCII punctuation, as Python's `string.punctuation` has it. */
const PUNCTUATION = String.raw`!-/:-@\[-\x60{-~`;
const FILLER = String.raw`(?:[\s${PUNCTUATION}]|\b(?:a|an|the)\b)*`;

/** Case, punctuation, articles and white space do not count. */
function fuzzyMatch(ideals: readonly string[]): IdealCheck {
  const value = ideals.map(fuzzyPattern).join('|');
  const missed = ideals.find((ideal) => !accepts(value, ideal));
  if (missed !== undefined)
    return {
      problem: `no pattern of Assay accepts the ideal answer ${JSON.stringify(missed)} as FuzzyMatch does`,
    };
  return {
    evaluator: { type: 'regex', value, flags: 'i' },
    lost: 'it also accepts an answer that is only a part of the ideal one; here the answer must contain all of it',
  };
}

function accepts(pattern: string, ideal: string): boolean {
  try {
    return search(compile(pattern, 'i'), ideal) !== null;
  } catch (error) {
    if (error instanceof PatternError || error instanceof BudgetError) return false;
    throw error;
  }
}

function fuzzyPattern(ideal: string): string {
  const bare = ideal.toLowerCase().replaceAll(/[!-/:-@[-`{-~]/g, '');
  const words = bare
    .replaceAll(/\b(?:a|an|the)\b/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return String.raw`\A${FILLER}\Z`;
  // Punctuation is removed from the answer too, wherever it is: `U.S.A.` is the same as `usa`.
  return words.map(spaced).join(String.raw`[${PUNCTUATION}]*\s${FILLER}`);
}

function spaced(word: string): string {
  return [...word].map(escape).join(`[${PUNCTUATION}]*`);
}

/** Equal as JSON. `null` equals nothing there, not even itself. */
function jsonMatch(ideals: readonly string[]): IdealCheck {
  const values: Json[] = [];
  for (const ideal of ideals) {
    const read = readJson(ideal);
    if (!('value' in read)) return { problem: `the ideal answer ${JSON.stringify(ideal)} is not JSON` };
    if (!hasNull(read.value)) values.push(read.value);
  }
  if (values.length === 0)
    return { problem: 'JsonMatch accepts no answer with null in it, so this sample cannot pass' };
  const [only] = values;
  const evaluator = { type: 'is_json', schema: values.length === 1 ? { const: only! } : { enum: values } };
  return values.length === ideals.length ? { evaluator } : { evaluator, note: NEVER_NULL };
}

const NEVER_NULL = 'JsonMatch never accepts null, so ideal answers with null in them are left out';

function hasNull(value: Json): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some((item: Json) => hasNull(item));
  return isJsonObject(value) && Object.values(value).some(hasNull);
}

/** As Python's `re` reads it. */
function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~\-\s]/g, (character) =>
    character === '\n' ? String.raw`\n` : `\\${character}`,
  );
}
