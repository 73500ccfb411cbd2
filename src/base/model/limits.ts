/** What one attempt may use at most. The model call beyond a limit is refused, and the attempt ends as an error. */
export interface AttemptLimits {
  readonly model_calls?: number | undefined;
  /** Input, cached and output tokens together. */
  readonly tokens?: number | undefined;
  readonly cost_usd?: number | undefined;
  readonly tool_calls?: number | undefined;
  /** Nothing may be known of what an agent uses: the limits cannot be kept then. */
  readonly unseen?: 'allow' | undefined;
}

export const LIMIT_NAMES = ['model_calls', 'tokens', 'cost_usd', 'tool_calls'] as const;

/** All of them hold: of two limits of one kind, the lower. */
export function joinLimits(all: readonly (AttemptLimits | undefined)[]): AttemptLimits | undefined {
  const joined: { -readonly [Name in (typeof LIMIT_NAMES)[number]]?: number } = {};
  for (const limits of all)
    for (const name of LIMIT_NAMES) {
      const most = limits?.[name];
      if (most !== undefined) joined[name] = Math.min(most, joined[name] ?? Infinity);
    }
  if (Object.keys(joined).length === 0) return undefined;
  return all.some((limits) => limits?.unseen === 'allow') ? { ...joined, unseen: 'allow' } : joined;
}
