import type { Json, JsonObject } from '../base/model/json.ts';
import type { TokenUsage } from '../base/model/reply.ts';
import { numberAt, objectAt } from './foreign-fields.ts';

/*
 * How each provider counts tokens, made disjoint. Undefined: the object does not tell. A count that cannot be is not told.
 */

/** `prompt_tokens` includes tokens read from a cache. */
export function openaiChatUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  const prompt = countAt(usage, 'prompt_tokens', 'promptTokens');
  const completion = countAt(usage, 'completion_tokens', 'completionTokens');
  const cached =
    countAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    countAt(usage, 'prompt_cache_hit_tokens');
  const reasoning = countAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const total = countAt(usage, 'total_tokens');
  // Some servers count reasoning in addition to the completion; their total shows it.
  const isBeside =
    total !== undefined && sum(prompt, completion, reasoning) === total && sum(prompt, completion) !== total;
  return inclusiveUsage({
    prompt,
    cached,
    output: isBeside ? sum(completion, reasoning) : completion,
    reasoning,
  });
}

/** `input_tokens` includes tokens read from a cache. */
export function openaiResponsesUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'input_tokens'),
    cached: countAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens'),
    output: countAt(usage, 'output_tokens'),
    reasoning: countAt(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens'),
  });
}

/** Cache reads and writes are not part of `input_tokens`, unless a total shows that they are: Qwen Code writes it so. */
export function anthropicUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'input_tokens');
  const output = countAt(usage, 'output_tokens');
  if (input === undefined || output === undefined) return undefined;
  const cached = countAt(usage, 'cache_read_input_tokens');
  const isInside = countAt(usage, 'total_tokens') === input + output;
  return toUsage({
    input: input + (countAt(usage, 'cache_creation_input_tokens') ?? 0) - (isInside ? (cached ?? 0) : 0),
    output,
    cached,
    reasoning: countAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens'),
  });
}

/** Cache reads and writes are not part of `inputTokens`, unless a total shows that they are: Strands writes those of other providers so. */
export function bedrockUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  const input = countAt(usage, 'inputTokens');
  const output = countAt(usage, 'outputTokens');
  if (input === undefined || output === undefined) return undefined;
  const cached = countAt(usage, 'cacheReadInputTokens');
  const isInside = countAt(usage, 'totalTokens') === input + output;
  const written = isInside ? 0 : (countAt(usage, 'cacheWriteInputTokens') ?? 0);
  return toUsage({ input: input + written - (isInside ? (cached ?? 0) : 0), output, cached });
}

/** The prompt includes tokens read from a cache; thoughts are not part of the candidates; a count of 0 is left out. */
export function geminiUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  const prompt = countAt(usage, 'promptTokenCount', 'prompt_token_count');
  if (prompt === undefined) return undefined;
  const thoughts = countAt(usage, 'thoughtsTokenCount', 'thoughts_token_count');
  const candidates = countAt(
    usage,
    'candidatesTokenCount',
    'candidates_token_count',
    'responseTokenCount',
    'response_token_count',
  );
  return inclusiveUsage({
    prompt: prompt + (countAt(usage, 'toolUsePromptTokenCount', 'tool_use_prompt_token_count') ?? 0),
    cached: countAt(usage, 'cachedContentTokenCount', 'cached_content_token_count'),
    output: (candidates ?? 0) + (thoughts ?? 0),
    reasoning: thoughts,
  });
}

/** For the AI SDK and Mastra: `inputTokens` includes tokens read from a cache. Fields of version 5 are at the top. */
export function aiSdkUsage(usage: JsonObject | undefined): TokenUsage | undefined {
  return inclusiveUsage({
    prompt: countAt(usage, 'inputTokens', 'promptTokens'),
    cached:
      countAt(objectAt(usage, 'inputTokenDetails'), 'cacheReadTokens') ?? countAt(usage, 'cachedInputTokens'),
    output: countAt(usage, 'outputTokens', 'completionTokens'),
    reasoning:
      countAt(objectAt(usage, 'outputTokenDetails'), 'reasoningTokens') ?? countAt(usage, 'reasoningTokens'),
  });
}

interface InclusiveUsage {
  readonly prompt: number | undefined;
  readonly cached?: number | undefined;
  readonly output: number | undefined;
  readonly reasoning?: number | undefined;
}

/** For a provider whose prompt tokens include those read from a cache. */
export function inclusiveUsage({
  prompt,
  cached,
  output,
  reasoning,
}: InclusiveUsage): TokenUsage | undefined {
  if (prompt === undefined || output === undefined) return undefined;
  // More from a cache than in the prompt: then it is not counted in the prompt.
  const inside = cached !== undefined && cached <= prompt ? cached : 0;
  return toUsage({ input: prompt - inside, output, cached, reasoning });
}

/** Without the parts that are not told. No call of a model takes no token: frameworks write zeros for what they do not know. */
export function toUsage({ input, output, cached, reasoning }: TokenUsage): TokenUsage | undefined {
  if (input + output + (cached ?? 0) === 0) return undefined;
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** The usage since an earlier total. A smaller total means that counting restarted. */
export function sinceTotal(total: TokenUsage, earlier: TokenUsage): TokenUsage | undefined {
  const parts = ['input', 'output', 'cached', 'reasoning'] as const;
  const isNew = parts.some((part) => (total[part] ?? 0) < (earlier[part] ?? 0));
  if (isNew) return total;
  const part = (name: 'cached' | 'reasoning'): number | undefined =>
    total[name] === undefined ? undefined : total[name] - (earlier[name] ?? 0);
  return toUsage({
    input: total.input - earlier.input,
    output: total.output - earlier.output,
    cached: part('cached'),
    reasoning: part('reasoning'),
  });
}

/** A number of tokens. */
export function countAt(of: Json | undefined, ...names: readonly string[]): number | undefined {
  const count = numberAt(of, ...names);
  return count !== undefined && count >= 0 ? count : undefined;
}

function sum(...counts: readonly (number | undefined)[]): number | undefined {
  return counts.some((count) => count === undefined)
    ? undefined
    : counts.reduce<number>((all, count) => all + (count ?? 0), 0);
}

/** The usage of a model in whichever provider's words. Undefined: it is none of them. */
export function anyProviderUsage(usage: JsonObject): TokenUsage | undefined {
  const has = (...names: readonly string[]): boolean => names.some((name) => Object.hasOwn(usage, name));
  if (has('prompt_tokens')) return openaiChatUsage(usage);
  if (has('cache_read_input_tokens', 'cache_creation_input_tokens')) return anthropicUsage(usage);
  if (has('input_tokens')) return openaiResponsesUsage(usage);
  if (has('promptTokenCount', 'prompt_token_count')) return geminiUsage(usage);
  return has('inputTokens', 'promptTokens') ? aiSdkUsage(usage) : undefined;
}
