import type { LanguageModelUsage } from 'ai';
import type { TokenUsage } from '../../base/model/reply.ts';

/** Our `input` excludes tokens read from a cache, so that the three numbers add up to the whole. */
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
