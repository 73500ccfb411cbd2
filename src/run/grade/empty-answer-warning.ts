import type { ReplyWarning } from '../../evidence/reply/reply-warning.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import type { Grader } from './grade.ts';

/** Only where it matters: all that is claimed about the answer is what it does not say, so that an empty one passes. */
export function emptyAnswerWarning(
  assertions: readonly Assertion[],
  output: string,
  grader: Pick<Grader, 'readsPart'>,
): ReplyWarning | undefined {
  if (output.trim() !== '') return undefined;
  const about = assertions.filter((assertion) => grader.readsPart([assertion], 'output'));
  if (about.length === 0 || !about.every(isAbsence)) return undefined;
  return {
    code: 'empty_answer',
    message: 'the answer is empty, and the test only claims what it must not say',
    hint: 'claim something that the answer must say as well',
  };
}

function isAbsence({ kind, negate }: Assertion): boolean {
  return negate || kind.startsWith('output.not_');
}
