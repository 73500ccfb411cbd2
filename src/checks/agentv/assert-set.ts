import type { Assertion } from '../../base/model/assertion.ts';
import { setOwn, type JsonObject } from '../../base/model/json.ts';
import { unsupportedFields } from '../../base/schema/foreign-fields.ts';
import { number } from '../../base/schema/values.ts';
import type { EvaluatorKind } from '../contract/evaluator-kind.ts';
import { defineSpelling, type EvaluatorSpelling } from '../contract/evaluator-spelling.ts';

/** Its members keep their own weights: here they are those of the aggregator. */
export function createAssertSet(composite: EvaluatorKind): EvaluatorSpelling {
  const members = composite.schema.fields['evaluators']!.schema;
  return defineSpelling({
    names: ['assert-set'],
    doc: 'AgentV of July 2026: `composite`, whose members have their own weights.',
    kind: composite,
    fields: {
      assert: { schema: members, doc: 'The evaluators.', missing: 'missing_evaluators' },
      threshold: { schema: number({ min: 0, max: 1 }), doc: 'The mean of their scores must reach it.' },
      ...unsupportedFields({ config: 'write the settings on each evaluator' }),
    },
    translate({ assert: evaluators, threshold, ...read }) {
      return {
        ...read,
        evaluators: evaluators!,
        aggregator: {
          type: 'weighted_average',
          weights: weightsOf(evaluators as unknown as readonly Assertion[]),
          ...(threshold === undefined ? {} : { threshold }),
        },
      };
    },
  });
}

function weightsOf(evaluators: readonly Assertion[]): JsonObject {
  const weights: Record<string, number> = {};
  for (const { name, weight } of evaluators) if (weight !== 1) setOwn(weights, name, weight);
  return weights;
}
