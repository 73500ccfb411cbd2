import { defineEvaluator, type EvaluatorKind } from '../../schema/assertion-kind.ts';
import { needsOneOf, refine } from '../../schema/refine.ts';
import { number } from '../../schema/values.ts';

const amount = number({ min: 0 });
const count = number({ min: 0, integer: true });

export const latency = defineEvaluator({
  kind: 'latency',
  doc: 'The reply took no longer than this.',
  isBinary: true,
  fields: { threshold: { schema: amount, doc: 'Milliseconds.', missing: 'missing_threshold' } },
});

export const cost = defineEvaluator({
  kind: 'cost',
  doc: 'The reply cost no more than this.',
  isBinary: true,
  fields: { budget: { schema: amount, doc: 'US dollars.', missing: 'missing_budget' } },
});

export const tokenUsage = withOneOf(
  ['max_total', 'max_input', 'max_output'],
  defineEvaluator({
    kind: 'token_usage',
    doc: 'The reply used no more tokens than this.',
    isBinary: true,
    fields: {
      max_total: { schema: count, doc: 'Input, output and cached tokens together.' },
      max_input: { schema: count, doc: 'Input tokens.' },
      max_output: { schema: count, doc: 'Output tokens.' },
    },
  }),
);

export const executionMetrics = withOneOf(
  ['max_tool_calls', 'max_llm_calls', 'max_tokens', 'max_cost_usd', 'max_duration_ms'],
  defineEvaluator({
    kind: 'execution_metrics',
    doc: 'How many of these limits were kept.',
    fields: {
      max_tool_calls: { schema: count, doc: 'Tool calls.' },
      max_llm_calls: { schema: count, doc: 'Calls of a model.' },
      max_tokens: { schema: count, doc: 'Tokens in all.' },
      max_cost_usd: { schema: amount, doc: 'US dollars.' },
      max_duration_ms: { schema: amount, doc: 'Milliseconds.' },
    },
  }),
);

function withOneOf(keys: readonly string[], kind: EvaluatorKind): EvaluatorKind {
  return { ...kind, schema: refine(kind.schema, needsOneOf(keys)) };
}
