import type { JsonObject } from '../../../base/model/json.ts';
import type { RecordedToolCall, TokenUsage } from '../../../base/model/reply.ts';

/** The reply of an agent of this check in one step, complete in every part that an assertion can look at. */
export interface OracleReply {
  readonly output: string;
  /** Messages before the output. */
  readonly said: readonly string[];
  readonly calls: readonly RecordedToolCall[];
  readonly memory: JsonObject;
  readonly duration_ms: number;
  readonly cost_usd: number;
  readonly token_usage: TokenUsage;
}

const FREE = { duration_ms: 0, cost_usd: 0, token_usage: { input: 0, output: 0 } } as const;

/** The reply of an idle agent. */
export const EMPTY_REPLY: OracleReply = { output: '', said: [], calls: [], memory: {}, ...FREE };
