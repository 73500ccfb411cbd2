import { MEASURES } from '../../../checks/evaluators/limits.ts';
import type { MutationFamily } from './mutation.ts';

/** A reply that is slow, expensive, or long: more than any sensible limit allows. */
export const measureMutations: MutationFamily = function* (reply) {
  const { duration, cost, tokens } = MEASURES;
  yield { name: 'reply slowed down', reply: { ...reply, duration_ms: duration.tooHigh } };
  yield { name: 'cost raised', reply: { ...reply, cost_usd: cost.tooHigh } };
  yield {
    name: 'tokens raised',
    reply: { ...reply, token_usage: { input: tokens.tooHigh, output: tokens.tooHigh } },
  };
};
