import type { TokenUsage } from '../model/reply.ts';
import type { JudgeReply, JudgeRequest } from '../schema/assertion-kind.ts';

/** What answers questions about evidence. */
export interface Judge {
  readonly name: string;
  /** Rejects with a JudgeError when there is no answer: that is never a score. */
  assess(request: JudgeRequest, signal: AbortSignal): Promise<Assessment>;
}

export interface Assessment extends JudgeReply {
  /** Of all calls it took; undefined when it is not known, and for an answer from the cache. */
  readonly token_usage?: TokenUsage | undefined;
  readonly cost_usd?: number | undefined;
  readonly isCached: boolean;
}
