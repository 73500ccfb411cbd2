import type { JudgeSpending } from '../assertions/contract/judge.ts';

/**
 * `no_judge`: none is configured. `judge_setup`: a mistake in the config. `unset_variable`: its key is not on this machine.
 * `judge_unreachable`: it did not answer. `judge_answer`: its answer could not be used.
 */
export type JudgeErrorCode =
  | 'no_judge'
  | 'judge_setup'
  | 'unset_variable'
  | 'judge_unreachable'
  | 'judge_answer';

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
