import { expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { defineEvaluator, type EvaluatorEvidence } from '../../src/index.ts';

test('the type of the config follows from the schema', () => {
  defineEvaluator({
    schema: {
      type: 'object',
      properties: {
        limit: { type: 'integer' },
        unit: { enum: ['word', 'letter'], default: 'word' },
        tags: { type: 'array', items: { type: 'string' } },
        of: { type: ['string', 'null'] },
      },
      required: ['limit'],
    },
    evaluate(config, evidence) {
      expectTypeOf(config.limit).toEqualTypeOf<number>();
      expectTypeOf(config.unit).toEqualTypeOf<'word' | 'letter'>();
      expectTypeOf(config.tags).toEqualTypeOf<readonly string[] | undefined>();
      expectTypeOf(config.of).toEqualTypeOf<string | null | undefined>();
      expectTypeOf(evidence).toEqualTypeOf<EvaluatorEvidence>();
      // @ts-expect-error -- the schema has no such field
      return config.other === 1;
    },
  });
  defineEvaluator({
    schema: z.object({ max: z.number(), unit: z.string().default('w') }),
    evaluate(config) {
      expectTypeOf(config).toEqualTypeOf<{ max: number; unit: string }>();
      return true;
    },
  });
  defineEvaluator({
    evaluate(config) {
      expectTypeOf(config).toEqualTypeOf<Readonly<Record<string, unknown>>>();
      return { score: 1 };
    },
  });
});
