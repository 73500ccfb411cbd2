import type { AssertionOutcome } from '../../base/model/evidence.ts';
import { includesText } from '../../base/match/includes-text.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import { list } from '../../base/schema/list.ts';
import { quoteText, text } from '../../base/schema/values.ts';
import { repeatWeaknesses } from '../repeat-weaknesses.ts';
import { preparation, type Comparing } from './text-variant.ts';
import { warnAboutVacuousCheck, whyEveryOutputHas } from '../vacuous-check.ts';

interface ManyTexts extends Comparing {
  readonly kind: string;
  readonly doc: string;
  /** Whether it holds if this many of the texts were found. */
  holds(found: number, wanted: number): boolean;
  /** Whether an output needs one of the texts, or all of them. */
  readonly needs: 'any' | 'all';
}

/** An evaluator that looks for several texts in the output. */
export function manyTexts(definition: ManyTexts): EvaluatorKind {
  const { kind, doc, holds, needs, variant } = definition;
  const ignoresCase = definition.prepare !== undefined;
  return defineEvaluator({
    kind,
    doc,
    isBinary: true,
    example: { value: ['Paris', 'France'] },
    reads: ['output'],
    fields: {
      value: { schema: list(text(), { nonEmpty: true }), doc: 'The texts.', missing: 'missing_value' },
      ...(variant === undefined ? {} : { [variant.name]: variant.field }),
    },
    inAgentv: variant && { [variant.name]: true },
    check(authored, reader, { value }) {
      for (const [index, part] of value.entries()) {
        const why = whyEveryOutputHas(part);
        if (why !== undefined) warnAboutVacuousCheck(authored, reader, { why, at: ['value', index] });
      }
    },
    evaluate: (parameters, { reply: { output } }) =>
      lookForAll(parameters.value, output, { ...preparation(definition, parameters), holds, ignoresCase }),
    weaknesses: ({ value }) => repeatWeaknesses(value, 'text'),
    oracle(parameters) {
      const { value } = parameters;
      const texts = value.slice(0, needs === 'any' ? 1 : undefined).map((part) => ({ text: part }));
      if (preparation(definition, parameters).isVariant) return { texts };
      const rules = value.map((part) => ({
        type: 'literal' as const,
        text: part,
        at: 'anywhere' as const,
        ...(ignoresCase ? { ignoresCase } : {}),
      }));
      return { texts, rule: { type: needs, rules } };
    },
  });
}

interface LookingForAll extends Pick<ManyTexts, 'holds'> {
  readonly prepare: (text: string) => string;
  readonly ignoresCase: boolean;
}

function lookForAll(
  texts: readonly string[],
  output: string,
  { holds, prepare, ignoresCase }: LookingForAll,
): AssertionOutcome {
  const searched = prepare(output);
  const found = texts.filter((part) => includesText(searched, prepare(part)));
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
