import type { ReplyRequirements } from '../../base/model/reply-requirements.ts';
import type { StatedValue } from '../contract/assertion-kind.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { text } from '../../base/schema/values.ts';
import { preparation, type Comparing } from './text-variant.ts';
import { warnAboutVacuousCheck, whyEveryOutputHas } from '../vacuous-check.ts';

interface OneText extends Comparing {
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
export function oneText(definition: OneText): EvaluatorKind {
  const { kind, doc, does, holds, wants, prepare: _usual, variant, ...rest } = definition;
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    example: { value: 'Paris' },
    reads: ['output'],
    ...rest,
    fields: {
      value: { schema: text(), doc: 'The text.', missing: 'missing_value' },
      ...(variant === undefined ? {} : { [variant.name]: variant.field }),
    },
    inAgentv: variant && { [variant.name]: true },
    check(authored, reader, { value }) {
      // Whitespace alone is missing only in outputs of one word, unless it must be the whole output.
      const { prepare = (each: string) => each } = definition;
      const why = holds(prepare('some words'), prepare(value.trim())) ? whyEveryOutputHas(value) : undefined;
      if (why !== undefined) warnAboutVacuousCheck(authored, reader, { why, at: ['value'] });
    },
    evaluate(parameters, { reply: { output } }) {
      const { value } = parameters;
      const { prepare } = preparation(definition, parameters);
      const held = holds(prepare(output), prepare(value));
      return {
        score: held ? 1 : 0,
        message: held ? `the output ${does}` : undefined,
        expected: value,
        actual: output,
      };
    },
    oracle(parameters) {
      const { rule, ...wanted } = wants(parameters.value);
      // The rule knows the texts as they are only.
      return preparation(definition, parameters).isVariant ? wanted : { ...wanted, rule };
    },
  });
}
