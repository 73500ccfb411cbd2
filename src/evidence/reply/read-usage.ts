import { anyProviderUsage } from '../provider-usage.ts';
import { isJsonObject, ownValue, type Json } from '../../base/model/json.ts';
import type { TokenUsage } from '../../base/model/reply.ts';
import { describe } from '../../base/schema/values.ts';
import { ReplyProblem } from './reply-problem.ts';

/** `token_usage`: what the agent reports, never filled up with zeros. */
export function readTokenUsage(value: Json | undefined): TokenUsage | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) {
    throw new ReplyProblem(
      `\`token_usage\` must be an object with \`input\` and \`output\`, but is ${describe(value)}`,
    );
  }
  const theirs = anyProviderUsage(value);
  if (theirs !== undefined) return theirs;
  const [input, output, cached, reasoning] = ['input', 'output', 'cached', 'reasoning'].map((key) => {
    return readAmount(ownValue(value, key) ?? undefined, `token_usage.${key}`);
  });
  if (input === undefined || output === undefined) {
    throw new ReplyProblem(
      `\`token_usage\` must contain \`input\` and \`output\`, but has no \`${input === undefined ? 'input' : 'output'}\``,
    );
  }
  return {
    input,
    output,
    ...(cached === undefined ? {} : { cached }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** A number that cannot be negative: tokens, money, time. */
export function readAmount(value: Json | undefined, place: string): number | undefined {
  if (value === undefined) return undefined;
  const amount = typeof value === 'bigint' ? Number(value) : value;
  if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) return amount;
  throw new ReplyProblem(`\`${place}\` must be a number of at least 0, but is ${describe(value)}`);
}
