import type { PatternRule, TextRule } from '../model/text-rule.ts';
import { search } from './python-re/index.ts';
import { findText } from './text-language/find-text.ts';

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
