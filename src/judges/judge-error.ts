import type { JudgeSpending } from '../schema/assertion-kind.ts';

/** `judge_setup`: a mistake in the config. `judge_unreachable`: it did not answer. `judge_answer`: its answer could not be read. */
export type JudgeErrorCode = 'judge_setup' | 'judge_unreachable' | 'judge_answer';

/** A judge without an answer. The assertion that asked could not be evaluated. */
export class JudgeError extends Error {
  readonly code: JudgeErrorCode;
  readonly retryAfterMs: number | undefined;
  /** What its answers cost although they were of no use. */
  readonly spent: JudgeSpending | undefined;

  constructor(
    code: JudgeErrorCode,
    message: string,
    {
      retryAfterMs,
      spent,
    }: { readonly retryAfterMs?: number | undefined; readonly spent?: JudgeSpending } = {},
  ) {
    super(message);
    this.name = 'JudgeError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.spent = spent;
  }
}
