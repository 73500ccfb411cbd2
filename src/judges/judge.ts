import type { JudgeQuestion, JudgeReply, JudgeRequest, JudgeText } from '../assertions/contract/judge.ts';

/** How often a judge may give an answer that cannot be used, beyond the first time. */
export const ANSWER_RETRIES = 2;

/** What answers questions about evidence. */
export interface Judge {
  readonly name: string;
  /** Rejects with a JudgeError when there is no answer: that is never a score. */
  assess(request: JudgeRequest, signal: AbortSignal): Promise<Assessment>;
  /** A text instead of a verdict, asked for by a script that judges. Never kept: a script may ask twice to get two answers. */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<JudgeText>;
}

export interface Assessment extends JudgeReply {
  readonly isCached: boolean;
}
