import type { AssertionOutcome } from '../../base/model/evidence.ts';
import type { Reply, TokenUsage } from '../../base/model/reply.ts';
import { totalTokens } from '../../base/model/usage.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import type { Reader } from '../../base/schema/reader.ts';
import { needsOneOf } from '../../base/schema/refine.ts';
import { unmeasured } from '../unmeasured.ts';
import { describeLimit, hasDoubt, isKept, measuredLimits, tokens, usageProblem } from './limits.ts';

interface Limits {
  readonly max_total?: number;
  readonly max_input?: number;
  readonly max_output?: number;
}

export const tokenUsage = defineEvaluator({
  kind: 'token_usage',
  doc: 'The reply used no more tokens than this.',
  example: { max_total: 1000 },
  reads: ['usage'],
  isBinary: true,
  fields: {
    max_total: { schema: tokens, doc: 'Input, output and cached tokens together.' },
    max_input: { schema: tokens, doc: 'Input tokens.' },
    max_output: { schema: tokens, doc: 'Output tokens.' },
  },
  check(authored, reader, limits) {
    needsOneOf(['max_total', 'max_input', 'max_output'])(authored, reader);
    warnAboutParts(limits, reader);
  },
  evaluate(limits, { reply }) {
    const { token_usage: usage } = reply;
    if (usage === undefined) return unmeasured('the agent did not report the tokens it used (`token_usage`)');
    return compareUsage(limits, usage, reply);
  },
  oracle: () => ({}),
});

/** A part is never larger than the whole. */
function warnAboutParts({ max_total = Infinity, ...parts }: Limits, reader: Reader): void {
  for (const part of ['max_input', 'max_output'] as const) {
    if ((parts[part] ?? 0) <= max_total) continue;
    reader.warning({
      code: 'without_effect',
      message: `\`${part}\` has no effect: it is larger than \`max_total\``,
      hint: 'give a smaller number, or remove it',
      at: [part],
    });
  }
}

function compareUsage(
  { max_total, max_input, max_output }: Limits,
  usage: TokenUsage,
  reply: Reply,
): AssertionOutcome {
  const measures = {
    max_total: totalTokens(usage),
    max_input: usage.input,
    max_output: usage.output,
  };
  const limits = measuredLimits({ max_total, max_input, max_output }, measures);
  const broken = limits.filter((limit) => !isKept(limit));
  const problem = usageProblem(limits, reply);
  if (problem !== undefined && (broken.length === 0 || hasDoubt(reply, 'tokens'))) return unmeasured(problem);
  return {
    score: broken.length === 0 ? 1 : 0,
    message:
      broken.length === 0 ? 'no more tokens were used than allowed' : broken.map(describeLimit).join('; '),
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
