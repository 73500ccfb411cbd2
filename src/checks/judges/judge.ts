import type { WrapFetch } from '../../agents/llm/guarded-fetch.ts';
import type { JudgeQuestion, JudgeReply, JudgeRequest, JudgeText } from '../contract/judge.ts';

/** How many unusable replies a judge may give beyond the first. */
export const ANSWER_RETRIES = 2;

/** Answers questions about evidence. */
export interface Judge {
  readonly name: string;
  /** Rejects with a JudgeError if there is no reply: that is never a score. */
  assess(request: JudgeRequest, options: JudgeCallOptions): Promise<Assessment>;
  /** Text instead of a verdict, for scripts that judge. Never cached: a script may call twice to get two replies. */
  ask(question: JudgeQuestion, options: JudgeCallOptions): Promise<JudgeText>;
}

export interface JudgeCallOptions {
  readonly signal: AbortSignal;
  /** Decides what becomes of its model calls. */
  readonly wrapFetch?: WrapFetch | undefined;
}

export interface Assessment extends JudgeReply {
  readonly isCached: boolean;
}
