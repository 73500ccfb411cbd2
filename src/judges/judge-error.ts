/** `judge_setup`: a mistake in the config. `judge_unreachable`: it did not answer. `judge_answer`: its answer could not be read. */
export type JudgeErrorCode = 'judge_setup' | 'judge_unreachable' | 'judge_answer';

/** A judge without an answer. The assertion that asked could not be evaluated. */
export class JudgeError extends Error {
  readonly code: JudgeErrorCode;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: JudgeErrorCode,
    message: string,
    { retryAfterMs }: { readonly retryAfterMs?: number | undefined } = {},
  ) {
    super(message);
    this.name = 'JudgeError';
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}
