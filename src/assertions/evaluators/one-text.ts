import type { ReplyRequirements } from '../../model/reply-requirements.ts';
import type { StatedValue } from '../contract/assertion-kind.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { text } from '../../schema/values.ts';
import { warnAboutVacuousCheck, whyEveryOutputHas } from '../vacuous-check.ts';

interface OneText {
  readonly kind: string;
  readonly doc: string;
  /** What the output does if it holds: "contains the text". */
  readonly does: string;
  holds(output: string, value: string): boolean;
  /** The outputs in which it holds. */
  wants(value: string): Pick<ReplyRequirements, 'output' | 'texts' | 'rule'>;
  readonly states?: StatedValue;
  readonly otherNames?: readonly string[];
}

/** An evaluator that compares the output with one text. */
export function oneText({ kind, doc, does, holds, wants, ...rest }: OneText): EvaluatorKind {
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    example: { value: 'Paris' },
    reads: ['output'],
    ...rest,
    fields: { value: { schema: text(), doc: 'The text.', missing: 'missing_value' } },
    check(authored, reader, { value }) {
      // Whitespace alone is missing only in outputs of one word, unless it must be the whole output.
      const why = holds('some words', value.trim()) ? whyEveryOutputHas(value) : undefined;
      if (why !== undefined) warnAboutVacuousCheck(authored, reader, { why, at: ['value'] });
    },
    evaluate({ value }, { reply: { output } }) {
      const held = holds(output, value);
      return {
        score: held ? 1 : 0,
        message: held ? `the output ${does}` : undefined,
        expected: value,
        actual: output,
      };
    },
    oracle: ({ value }) => ({ ...wants(value) }),
  });
}
