import { ModelError } from '../../agents/llm/model-error.ts';
import { refusedStatus } from '../../base/model/refused-status.ts';
import { retryDelayMs, type RetryRules } from '../../base/system/retry.ts';
import { JudgeError } from './judge-error.ts';
import { sleep } from '../../base/system/system-time.ts';

interface RetryOptions {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly rules: RetryRules;
}

/** Retries while the infrastructure fails, and waits as long as the server requests. Ends with a JudgeError. */
export async function retryInfrastructure<T>(
  call: () => Promise<T>,
  { name, signal, rules }: RetryOptions,
): Promise<T> {
  const { most = DEFAULT_RETRIES } = rules;
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const waitMs = retryDelayMs(attempt, { ...rules, retryAfterMs: error.retryAfterMs });
      if (!error.isRetryable || attempt >= most || waitMs === undefined)
        throw toJudgeError(error, name, attempt);
      await sleep(waitMs, undefined, { signal }).catch(() => {
        throw toJudgeError(error, name, attempt);
      });
    }
  }
}

const DEFAULT_RETRIES = 3;

function toJudgeError(
  { message, kind, retryAfterMs, status }: ModelError,
  name: string,
  attempt: number,
): JudgeError {
  if (kind === 'cassette') return new JudgeError('cassette', `the judge "${name}": ${message}`);
  const times = attempt === 0 ? '' : ` (${attempt + 1} times)`;
  const code = kind === 'setup' ? 'judge_setup' : 'judge_unreachable';
  return new JudgeError(code, `the judge "${name}" did not reply${times}: ${message}`, {
    retryAfterMs,
    refusedStatus: refusedStatus(status),
  });
}
