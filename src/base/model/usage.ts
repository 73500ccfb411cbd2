import type { TokenUsage } from './reply.ts';

/** If one call does not report something, the sum is unknown. */
export function addUsage(usages: readonly (TokenUsage | undefined)[]): TokenUsage | undefined {
  let sum: TokenUsage | undefined;
  for (const usage of usages) {
    if (usage === undefined) return undefined;
    if (sum === undefined) sum = usage;
    else {
      sum = {
        input: sum.input + usage.input,
        output: sum.output + usage.output,
        ...addPart('cached', sum, usage),
        ...addPart('reasoning', sum, usage),
      };
    }
  }
  return sum;
}

function addPart(part: 'cached' | 'reasoning', one: TokenUsage, other: TokenUsage): Partial<TokenUsage> {
  if (one[part] === undefined && other[part] === undefined) return {};
  return { [part]: (one[part] ?? 0) + (other[part] ?? 0) };
}

/** The same for any number; undefined for none at all. */
export function addAll(numbers: readonly (number | undefined)[]): number | undefined {
  let sum: number | undefined;
  for (const number of numbers) {
    if (number === undefined) return undefined;
    sum = (sum ?? 0) + number;
  }
  return sum;
}

/** All tokens of a reply: those read from a cache were used too. */
export function totalTokens({ input, output, cached = 0 }: TokenUsage): number {
  return input + output + cached;
}
