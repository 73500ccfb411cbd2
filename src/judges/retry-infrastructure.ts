import { ModelError } from '../models/model-error.ts';
import { retryDelayMs } from '../retry/retry-delay.ts';
import { JudgeError } from './judge-error.ts';
import { sleep } from '../system-time.ts';

interface RetryOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly retries?: number | undefined;
  readonly backoffMs?: number | undefined;
}

/** Asks again while it is the infrastructure that fails, as late as the server asks for. Ends with a JudgeError. */
export async function retryInfrastructure<T>(
  call: () => Promise<T>,
  { name, signal, retries = 3, backoffMs }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const waitMs = retryDelayMs(attempt, { firstMs: backoffMs, retryAfterMs: error.retryAfterMs });
      if (!error.isRetryable || attempt >= retries || waitMs === undefined)
        throw toJudgeError(error, name, attempt);
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw toJudgeError(error, name, attempt);
      });
    }
  }
}

function toJudgeError(
  { message, kind, retryAfterMs }: ModelError,
  name: string,
  attempt: number,
): JudgeError {
  const times = attempt === 0 ? '' : ` (${attempt + 1} times)`;
  const code = kind === 'setup' ? 'judge_setup' : 'judge_unreachable';
  return new JudgeError(code, `the judge "${name}" did not answer${times}: ${message}`, { retryAfterMs });
}
