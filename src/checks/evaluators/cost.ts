import type { Reply } from '../../base/model/reply.ts';
import { defineEvaluator } from '../contract/evaluator-kind.ts';
import { unmeasured } from '../unmeasured.ts';
import { dollars, expectedAtMost, usageProblem } from './limits.ts';

export const cost = defineEvaluator({
  kind: 'cost',
  doc: 'The reply cost no more than this.',
  example: { budget: 0.1 },
  reads: ['usage'],
  isBinary: true,
  fields: { budget: { schema: dollars, doc: 'US dollars.', missing: 'missing_budget' } },
  evaluate({ budget: limit }, { reply }) {
    const { cost_usd: spent } = reply;
    if (spent === undefined) return unmeasured(unknownCost(reply));
    const problem = usageProblem([{ name: 'budget', limit, measured: spent }], reply);
    if (problem !== undefined) return unmeasured(problem);
    return {
      score: spent <= limit ? 1 : 0,
      message: expectedAtMost(limit, spent, '$'),
      expected: limit,
      actual: spent,
    };
  },
  oracle: () => ({}),
});

/** A model without a price is named, and so is the field that gives it one. */
function unknownCost({ models = [], token_usage: usage }: Pick<Reply, 'models' | 'token_usage'>): string {
  const [model] = models;
  if (usage === undefined || model === undefined)
    return 'the agent did not report what the reply cost (`cost_usd`)';
  const names = models.map((name) => `"${name}"`).join(' or ');
  return `the cost is unknown: Assay has no price for the model ${names}\nadd it to the config: \`prices: { "${model}": { input, output } }\` (USD per million tokens)`;
}
