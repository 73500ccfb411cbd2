import type { MutationFamily } from './mutation.ts';

/** More than any limit allows. */
const HUGE = 1e12;

/** A reply that is slow, dear, or long. */
export const measureMutations: MutationFamily = function* (reply) {
  yield { name: 'reply slowed down', reply: { ...reply, duration_ms: HUGE } };
  yield { name: 'cost raised', reply: { ...reply, cost_usd: HUGE } };
  yield { name: 'tokens raised', reply: { ...reply, token_usage: { input: HUGE, output: HUGE } } };
};
