import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import { negateRequirements } from '../../assertions/negate-requirements.ts';
import type { Assertion } from '../../model/assertion.ts';
import type { Message } from '../../model/message.ts';
import type { ReplyRequirements } from '../../model/reply-requirements.ts';

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
    const told = kind?.oracle?.(parameters, context);
    if (kind === undefined || told === undefined) return undefined;
    const wanted = { ...told, about: told.about ?? kind.reads(parameters) };
    return negate ? negateRequirements(wanted) : wanted;
  };
  return wantedBy;
}
