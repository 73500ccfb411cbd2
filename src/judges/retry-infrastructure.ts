import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from '../models/model-error.ts';
import { JudgeError } from './judge-error.ts';

interface RetryOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly retries?: number | undefined;
  readonly backoffMs?: number | undefined;
}

/** Asks again while it is the infrastructure that fails, as late as the server asks for. Ends with a JudgeError. */
export async function retryInfrastructure<T>(
  call: () => Promise<T>,
  { name, signal, retries = 3, backoffMs = 500 }: RetryOptions,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const waitMs = error.retryAfterMs ?? backoff(attempt, backoffMs);
      if (!error.isRetryable || attempt >= retries || waitMs > LONGEST_WAIT_MS)
        throw toJudgeError(error, name, attempt);
      await wait(waitMs, undefined, { signal }).catch(() => {
        throw toJudgeError(error, name, attempt);
      });
    }
  }
}

/** A server that asks for more than this is not coming back for this run. */
const LONGEST_WAIT_MS = 60_000;

/** Half of it by chance, so that many who failed together do not come back together. */
function backoff(attempt: number, firstMs: number): number {
  const ms = Math.min(firstMs * 2 ** attempt, LONGEST_WAIT_MS);
  return ms / 2 + (Math.random() * ms) / 2;
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
