import { findText } from '../match/text-language/find-text.ts';
import { search } from '../match/python-re/index.ts';
import { isJsonObject, ownValue, type Json } from '../model/json.ts';
import type { PathSegment } from '../model/place.ts';
import type { PatternRule, TextRule } from '../model/text-rule.ts';
import type { Reader } from '../schema/reader.ts';
import { quoteText } from '../schema/values.ts';

interface Vacuous {
  /** Why it always holds. */
  readonly why: string;
  readonly hint?: string;
  readonly at?: readonly PathSegment[];
}

/** Warns about a check that holds for every reply; inverted by `negate` it holds for none. */
export function warnAboutVacuousCheck(authored: Json, reader: Reader, { why, hint, at }: Vacuous): void {
  const isNegated = isJsonObject(authored) && ownValue(authored, 'negate') === true;
  reader.warning({
    code: isNegated ? 'never_holds' : 'always_holds',
    message: isNegated ? `this never holds: ${why}` : `this always holds: ${why}`,
    hint: hint ?? 'assert something that a reply can lack, or remove it',
    at: at ?? [],
  });
}

/** Why every output contains the text, if it does. */
export function whyEveryOutputHas(text: string): string | undefined {
  if (text === '') return 'every output contains the empty text';
  return /^ +$/.test(text) ? `nearly every output contains ${quoteText(text)}` : undefined;
}

/**
 * Whether a pattern matches every text; or every text of one line, if it is not about lines. Few patterns match all
 * of the first samples: only those are worth a proof.
 */
export function isFoundEverywhere(rule: PatternRule): boolean {
  const key = `${rule.dialect ?? ''} ${rule.pattern}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const lines: readonly TextRule[] = /\\[nrRvfsSWDxu]|\n/.test(rule.pattern) ? [] : [ONE_LINE];
  const result = isFoundInAll(rule, FIRST_TEXTS) && findText([{ type: 'not', rule }, ...lines]) === 'none';
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, result);
  return result;
}

/** Suites repeat the same pattern many times. */
const known = new Map<string, boolean>();
const MOST_KNOWN = 500;

const FIRST_TEXTS = ['', 'a', '0 1', 'Ab-c. d'];

const ONE_LINE: TextRule = { type: 'not', rule: { type: 'literal', text: '\n', at: 'anywhere' } };

function isFoundInAll({ pattern, dialect }: PatternRule, texts: readonly string[]): boolean {
  if (dialect === 'js') return true;
  try {
    return texts.every((text) => search(pattern, text) !== null);
  } catch {
    return false;
  }
}
