/** What an agent may say in a reply. */
export const REPLY_FIELDS = [
  'output',
  'tools_used',
  'tool_calls',
  'memory',
  'output_messages',
  'token_usage',
  'cost_usd',
  'duration_ms',
] as const;
