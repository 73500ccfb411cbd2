import type { AssertionOutcome } from '../../model/evidence.ts';
import { includesText } from '../../match/includes-text.ts';
import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { list } from '../../schema/list.ts';
import { quoteText, text } from '../../schema/values.ts';

interface ManyTexts {
  readonly kind: string;
  readonly doc: string;
  /** Whether it holds when so many of so many texts were found. */
  holds(found: number, wanted: number): boolean;
  /** The texts that an output needs to have. */
  needed(texts: readonly string[]): readonly string[];
}

/** An evaluator that looks for several texts in the output. */
export function manyTexts({ kind, doc, holds, needed }: ManyTexts): EvaluatorKind {
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    fields: {
      value: { schema: list(text(), { nonEmpty: true }), doc: 'The texts.', missing: 'missing_value' },
    },
    evaluate: ({ value }, { reply: { output } }) => lookForAll(value as readonly string[], output, holds),
    oracle: ({ value }) => ({
      about: ['output'],
      texts: needed(value as readonly string[]).map((part) => ({ text: part })),
    }),
  });
}

function lookForAll(texts: readonly string[], output: string, holds: ManyTexts['holds']): AssertionOutcome {
  const found = texts.filter((part) => includesText(output, part));
  const missed = texts.filter((part) => !found.includes(part));
  return {
    score: holds(found.length, texts.length) ? 1 : 0,
    message: `the output contains ${found.length} of ${texts.length} texts`,
    expected: texts,
    actual: output,
    hits: found.map((part) => `contains ${quoteText(part)}`),
    misses: missed.map((part) => `does not contain ${quoteText(part)}`),
  };
}
