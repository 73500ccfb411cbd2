import type { EvaluatorKind } from '../../schema/assertion-kind.ts';
import { needsOneOf, refine } from '../../schema/refine.ts';
import { number } from '../../schema/values.ts';

/** What a limit can be: an amount, or a count of things. */
export const amount = number({ min: 0 });
export const count = number({ min: 0, integer: true });

/** A kind of evaluator that needs at least one of its limits. */
export function withOneOf(keys: readonly string[], kind: EvaluatorKind): EvaluatorKind {
  return { ...kind, schema: refine(kind.schema, needsOneOf(keys)) };
}

/** A limit and what was measured; exactly the limit is within it. Undefined: it was not reported. */
export interface MeasuredLimit {
  readonly name: string;
  readonly limit: number;
  readonly measured: number | undefined;
}

export function isKept({ limit, measured }: MeasuredLimit): boolean {
  return measured !== undefined && measured <= limit;
}

/** `max_input: 12, at most 10`. */
export function describeLimit({ name, limit, measured }: MeasuredLimit): string {
  return `${name}: ${measured ?? 'not reported'}, at most ${limit}`;
}
