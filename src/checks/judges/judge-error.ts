import type { RefusedStatus } from '../../base/model/refused-status.ts';
import type { JudgeSpending } from '../contract/judge.ts';

/**
 * `no_judge`: none is configured. `judge_setup`: a mistake in the config. `unset_variable`: its key is not on this
 * machine. `judge_unreachable`: it did not reply. `judge_answer`: its reply could not be used. `cassette`: the call was not recorded.
 */
export type JudgeErrorCode =
  | 'no_judge'
  | 'judge_setup'
  | 'unset_variable'
  | 'judge_unreachable'
  | 'judge_answer'
  | 'cassette';

/** A judge without a reply. The assertion that called it could not be evaluated. */
export class JudgeError extends Error {
  readonly code: JudgeErrorCode;
  readonly retryAfterMs: number | undefined;
  /** The status with which its model API refused the key. */
  readonly refusedStatus: RefusedStatus | undefined;
  /** What its unusable replies cost. */
  readonly spent: JudgeSpending | undefined;

  constructor(
    code: JudgeErrorCode,
    message: string,
    {
      retryAfterMs,
      refusedStatus,
      spent,
    }: Partial<Pick<JudgeError, 'retryAfterMs' | 'refusedStatus' | 'spent'>> = {},
  ) {
    super(message);
    this.name = 'JudgeError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
    this.refusedStatus = refusedStatus;
    this.spent = spent;
  }
}
