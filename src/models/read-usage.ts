import type { LanguageModelUsage } from 'ai';
import type { TokenUsage } from '../model/reply.ts';

/** Our `input` leaves out what was read from a cache, so that the three numbers add up to the whole. */
export function readUsage({
  inputTokens,
  outputTokens,
  inputTokenDetails,
}: LanguageModelUsage): TokenUsage | undefined {
  if (inputTokens === undefined || outputTokens === undefined) return undefined;
  const cached = inputTokenDetails.cacheReadTokens;
  if (cached === undefined) return { input: inputTokens, output: outputTokens };
  return { input: Math.max(0, inputTokens - cached), output: outputTokens, cached };
}

/** What one call does not say is unknown for the whole. */
export function addUsage(usages: readonly (TokenUsage | undefined)[]): TokenUsage | undefined {
  let sum: TokenUsage | undefined;
  for (const usage of usages) {
    if (usage === undefined) return undefined;
    if (sum === undefined) sum = usage;
    else {
      const cached =
        sum.cached === undefined && usage.cached === undefined
          ? {}
          : { cached: (sum.cached ?? 0) + (usage.cached ?? 0) };
      sum = { input: sum.input + usage.input, output: sum.output + usage.output, ...cached };
    }
  }
  return sum;
}
