import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { negateRequirements } from '../../checks/negate-requirements.ts';
import type { Assertion } from '../../base/model/assertion.ts';
import type { Message } from '../../base/model/message.ts';
import type { ReplyRequirements } from '../../base/model/reply-requirements.ts';

/** What an assertion requires of a reply; undefined if a judge or a program decides. */
export type RequirementsOf = (
  assertion: Assertion,
  expected: readonly Message[],
) => ReplyRequirements | undefined;

export function createRequirementsOf(kinds: AssertionKinds): RequirementsOf {
  const wantedBy: RequirementsOf = (assertion, expected_messages) => {
    const { parameters, negate } = assertion;
    const kind = kinds.of(assertion);
    const context = { expected_messages, wantedBy: (inner: Assertion) => wantedBy(inner, expected_messages) };
    const required = kind?.oracle?.(parameters, context);
    if (kind === undefined || required === undefined) return undefined;
    const wanted = { ...required, about: required.about ?? kind.reads(parameters) };
    return negate ? negateRequirements(wanted) : wanted;
  };
  return wantedBy;
}
