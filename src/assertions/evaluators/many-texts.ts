import type { AssertionOutcome } from '../../model/evidence.ts';
import { foldCase } from '../../match/fold-case.ts';
import { includesText } from '../../match/includes-text.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { list } from '../../schema/list.ts';
import { quoteText, text } from '../../schema/values.ts';
import { repeatWeaknesses } from '../repeat-weaknesses.ts';
import { warnAboutVacuousCheck, whyEveryOutputHas } from '../vacuous-check.ts';

interface ManyTexts {
  readonly kind: string;
  readonly doc: string;
  /** Whether it holds if this many of the texts were found. */
  holds(found: number, wanted: number): boolean;
  /** Whether an output needs one of the texts, or all of them. */
  readonly needs: 'any' | 'all';
  readonly ignoresCase?: boolean;
}

/** An evaluator that looks for several texts in the output. */
export function manyTexts({ kind, doc, holds, needs, ignoresCase = false }: ManyTexts): EvaluatorKind {
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    example: { value: ['Paris', 'France'] },
    reads: ['output'],
    fields: {
      value: { schema: list(text(), { nonEmpty: true }), doc: 'The texts.', missing: 'missing_value' },
    },
    check(authored, reader, { value }) {
      for (const [index, part] of value.entries()) {
        const why = whyEveryOutputHas(part);
        if (why !== undefined) warnAboutVacuousCheck(authored, reader, { why, at: ['value', index] });
      }
    },
    evaluate: ({ value }, { reply: { output } }) => lookForAll(value, output, { holds, ignoresCase }),
    weaknesses: ({ value }) => repeatWeaknesses(value, 'text'),
    oracle: ({ value }) => ({
      texts: value.slice(0, needs === 'any' ? 1 : undefined).map((part) => ({ text: part })),
      rule: {
        type: needs,
        rules: value.map((part) => ({
          type: 'literal',
          text: part,
          at: 'anywhere',
          ...(ignoresCase ? { ignoresCase } : {}),
        })),
      },
    }),
  });
}

function lookForAll(
  texts: readonly string[],
  output: string,
  { holds, ignoresCase }: Pick<ManyTexts, 'holds'> & { readonly ignoresCase: boolean },
): AssertionOutcome {
  const searched = ignoresCase ? foldCase(output) : output;
  const found = texts.filter((part) => includesText(searched, ignoresCase ? foldCase(part) : part));
  const missed = texts.filter((part) => !found.includes(part));
  const held = holds(found.length, texts.length);
  return {
    score: held ? 1 : 0,
    message: held
      ? `the output contains ${found.length} of ${texts.length} texts${ignoresCase ? ', ignoring case' : ''}`
      : undefined,
    expected: texts,
    actual: output,
    hits: found.map((part) => `contains ${quoteText(part)}`),
    misses: missed.map((part) => `does not contain ${quoteText(part)}`),
  };
}
