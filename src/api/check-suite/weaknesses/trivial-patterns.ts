import { findText } from '../../../base/match/text-language/find-text.ts';
import type { TextRule } from '../../../base/model/text-rule.ts';
import type { PlacedAssertion } from '../assertion-results.ts';

export interface TrivialPattern {
  readonly own: PlacedAssertion;
  /** Every output that satisfies this one satisfies the pattern. */
  readonly other: PlacedAssertion;
}

/**
 * Patterns such as `.+` that match every text with a letter in it, beside assertions about the same output that
 * already require such a text. Alone they check that there is an answer; here they check nothing.
 */
export function trivialPatterns(assertions: readonly PlacedAssertion[]): readonly TrivialPattern[] {
  return assertions.flatMap((own) => {
    const { rule } = own.wanted;
    if (rule?.type !== 'pattern' || !isTrivial(rule)) return [];
    const others = assertions.filter(
      (other) =>
        other !== own && other.step === own.step && other.weight > 0 && other.wanted.rule !== undefined,
    );
    const other = others.find(({ wanted }) => findText([wanted.rule!, { type: 'not', rule }]) === 'none');
    return other === undefined ? [] : [{ own, other }];
  });
}

function isTrivial(rule: TextRule): boolean {
  return findText([{ type: 'not', rule }, A_LETTER]) === 'none';
}

const A_LETTER: TextRule = { type: 'pattern', pattern: String.raw`\A[^\n]*[a-z][^\n]*\Z` };
