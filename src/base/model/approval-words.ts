import type { ApprovalAsked } from './approval.ts';

/** A request for permission and what came of it, in words. */
export function approvalWords({ tool, message, do: done, by, rule, reason, answer }: ApprovalAsked): string {
  const asked = message === undefined || message === tool ? tool : `${tool} (${message})`;
  const who =
    by === 'rule'
      ? ` by rule ${rule}`
      : by === 'default'
        ? ' by `default`'
        : by === 'step'
          ? ' by the step'
          : '';
  const more = done === 'answer' ? `: ${JSON.stringify(answer)}` : reason === undefined ? '' : `: ${reason}`;
  return `${asked} ${done === 'fail' && by === undefined ? 'was not answered' : DONE[done]}${who}${more}`;
}

const DONE: Readonly<Record<ApprovalAsked['do'], string>> = {
  allow: 'was allowed',
  deny: 'was denied',
  answer: 'was answered',
  fail: 'ended the attempt',
  wait: 'waits for the next step',
};
