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
    if (spent === undefined) return unmeasured('the agent did not report what the reply cost (`cost_usd`)');
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
