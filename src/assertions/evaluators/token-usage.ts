import type { AssertionOutcome } from '../../model/evidence.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import type { TokenUsage } from '../../model/reply.ts';
import { totalTokens } from '../../model/usage.ts';
import { defineEvaluator, type EvaluatorKind } from '../contract/evaluator-kind.ts';
import type { Reader } from '../../schema/reader.ts';
import { refine } from '../../schema/refine.ts';
import { unmeasured } from '../unmeasured.ts';
import { describeLimit, isKept, tokens, withOneOf, type MeasuredLimit } from './limits.ts';

const definition = withOneOf(
  ['max_total', 'max_input', 'max_output'],
  defineEvaluator({
    kind: 'token_usage',
    doc: 'The reply used no more tokens than this.',
    isBinary: true,
    fields: {
      max_total: { schema: tokens, doc: 'Input, output and cached tokens together.' },
      max_input: { schema: tokens, doc: 'Input tokens.' },
      max_output: { schema: tokens, doc: 'Output tokens.' },
    },
    evaluate(parameters, { reply: { token_usage: usage } }) {
      if (usage === undefined)
        return unmeasured('the agent did not report the tokens it used (`token_usage`)');
      return compareUsage(parameters, usage);
    },
    oracle: () => ({ about: ['measures'] }),
  }),
);

export const tokenUsage: EvaluatorKind = {
  ...definition,
  schema: refine(definition.schema, warnAboutParts),
};

/** A part is never larger than the whole. */
function warnAboutParts(authored: Json, reader: Reader): void {
  const { max_total } = authored as JsonObject;
  for (const part of ['max_input', 'max_output']) {
    const limit = (authored as JsonObject)[part];
    if (typeof max_total !== 'number' || typeof limit !== 'number' || limit <= max_total) continue;
    reader.warning({
      code: 'without_effect',
      message: `\`${part}\` has no effect: it is larger than \`max_total\``,
      hint: 'give a smaller number, or remove it',
      at: [part],
    });
  }
}

function compareUsage(parameters: JsonObject, usage: TokenUsage): AssertionOutcome {
  const measures: Readonly<Record<string, number>> = {
    max_total: totalTokens(usage),
    max_input: usage.input,
    max_output: usage.output,
  };
  const limits: readonly MeasuredLimit[] = Object.keys(measures)
    .filter((name) => typeof parameters[name] === 'number')
    .map((name) => ({ name, limit: parameters[name] as number, measured: measures[name] }));
  const broken = limits.filter((limit) => !isKept(limit));
  return {
    score: broken.length === 0 ? 1 : 0,
    message:
      broken.length === 0 ? 'no more tokens were used than allowed' : 'more tokens were used than allowed',
    expected: Object.fromEntries(limits.map(({ name, limit }) => [name, limit])),
    actual: {
      input: usage.input,
      output: usage.output,
      cached: usage.cached ?? 0,
      total: totalTokens(usage),
    },
    hits: limits.filter(isKept).map(describeLimit),
    misses: broken.map(describeLimit),
  };
}
