import type { JudgeReply, JudgeRequest } from '../schema/assertion-kind.ts';

/** How often a judge may give an answer that cannot be used, beyond the first time. */
export const ANSWER_RETRIES = 2;

/** What answers questions about evidence. */
export interface Judge {
  readonly name: string;
  /** Rejects with a JudgeError when there is no answer: that is never a score. */
  assess(request: JudgeRequest, signal: AbortSignal): Promise<Assessment>;
}

export interface Assessment extends JudgeReply {
  readonly isCached: boolean;
}
