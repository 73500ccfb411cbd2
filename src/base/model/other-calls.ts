import { amount, closed, count, named, oneOf, optional, text, type TypeOf } from './described.ts';
import { USAGE } from './reply.ts';
import { addAll, addUsage } from './usage.ts';

/** Calls of a model that gives no answers, such as one for embeddings. They are no model calls, and their tokens and cost are in no other sum. */
export const OTHER_CALLS = named(
  'otherCalls',
  closed({
    kind: oneOf(['embedding', 'image']),
    model: optional(text()),
    calls: count(),
    token_usage: optional(USAGE),
    cost_usd: optional(amount('By the price table.')),
  }),
);
export type OtherCalls = TypeOf<typeof OTHER_CALLS>;

/** By kind and model. What one of them does not tell is unknown in their sum. Undefined: there are none. */
export function joinOtherCalls(all: readonly OtherCalls[]): readonly OtherCalls[] | undefined {
  const groups = new Map<string, OtherCalls>();
  for (const each of all) {
    const key = `${each.kind} ${each.model ?? ''}`;
    const before = groups.get(key);
    groups.set(key, before === undefined ? each : sumOf(before, each));
  }
  return groups.size === 0 ? undefined : [...groups.values()];
}

function sumOf(one: OtherCalls, other: OtherCalls): OtherCalls {
  const isTold = one.token_usage !== undefined && other.token_usage !== undefined;
  return {
    kind: one.kind,
    model: one.model,
    calls: one.calls + other.calls,
    token_usage: isTold ? addUsage([one.token_usage, other.token_usage]) : undefined,
    cost_usd: addAll([one.cost_usd, other.cost_usd]),
  };
}
