import { formatDollars } from './dollars.ts';
import type { OtherCalls } from './other-calls.ts';

/** `3 embedding calls (text-embedding-3-small, 420 tokens, $0.01)`. */
export function describeOtherCalls({ kind, model, calls, token_usage, cost_usd }: OtherCalls): string {
  const facts = [
    ...(model === undefined ? [] : [model]),
    token_usage === undefined ? 'unknown tokens' : `${token_usage.input + token_usage.output} tokens`,
    cost_usd === undefined ? 'unknown cost' : formatDollars(cost_usd),
  ];
  return `${calls} ${kind} ${calls === 1 ? 'call' : 'calls'} (${facts.join(', ')})`;
}
