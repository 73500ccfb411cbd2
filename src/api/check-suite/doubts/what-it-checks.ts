import type { Assertion } from '../../../model/assertion.ts';
import type { Json } from '../../../model/json.ts';
import { sortedJson } from './sorted-json.ts';

/** What an assertion checks, without its name, weight and place. */
export function whatItChecks({ form, kind, negate, parameters }: Assertion): string {
  const { evaluators, ...rest } = parameters;
  const inner = Array.isArray(evaluators)
    ? (evaluators as unknown as readonly Assertion[]).map(howItCounts)
    : [];
  return sortedJson([form, kind, negate, rest, ...inner] as readonly Json[]);
}

/** The same with what it counts. */
export function howItCounts(assertion: Assertion): string {
  const { weight, required } = assertion;
  return `${whatItChecks(assertion)} ${weight} ${String(required)}`;
}
