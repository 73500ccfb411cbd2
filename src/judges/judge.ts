import type { JudgeQuestion, JudgeReply, JudgeRequest, JudgeText } from '../assertions/contract/judge.ts';

/** How many unusable replies a judge may give beyond the first. */
export const ANSWER_RETRIES = 2;

/** Answers questions about evidence. */
export interface Judge {
  readonly name: string;
  /** Rejects with a JudgeError if there is no reply: that is never a score. */
  assess(request: JudgeRequest, signal: AbortSignal): Promise<Assessment>;
  /** Text instead of a verdict, for scripts that judge. Never cached: a script may call twice to get two replies. */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeText>;
}

export interface Assessment extends JudgeReply {
  readonly isCached: boolean;
}
