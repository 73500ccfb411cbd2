import type { StoppedTarget } from './summary.ts';

/** Why a target was not called any more, in a sentence without its end. */
export function describeStop({ target, reason, error: { message } }: StoppedTarget): string {
  const [cause = ''] = message.split('\n');
  switch (reason) {
    case 'same_error':
      return `${target} was not called any more, because its first 5 attempts all ended with the same error: ${cause}`;
    case 'key_refused':
      return `${target} was not called any more, because its key was refused: ${cause}`;
    case 'judge_key_refused':
      return `${target} was not called any more for tests with a judge, because the judge's key was refused: ${cause}`;
  }
}

/** What to do about it. */
export const AFTER_STOP = 'fix it and continue with --resume, or run all tests with --no-stop';
