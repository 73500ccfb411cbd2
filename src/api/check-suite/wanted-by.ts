import { refuseWanted } from '../../assertions/refuse-wanted.ts';
import type { Assertion } from '../../model/assertion.ts';
import type { Message } from '../../model/message.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import type { ClaimKind } from '../../assertions/contract/claim-kind.ts';
import type { EvaluatorKind } from '../../assertions/contract/evaluator-kind.ts';

/** What an assertion wants of a reply; undefined when a judge or a program decides. */
export type WantedBy = (assertion: Assertion, expected: readonly Message[]) => WantedReply | undefined;

export function createWantedBy({ claims, expected: strict, evaluators }: AssertionKinds): WantedBy {
  const claimKinds = new Map<string, ClaimKind>([...claims, strict].map((kind) => [kind.kind, kind]));
  const evaluatorKinds = new Map<string, EvaluatorKind>(evaluators.map((kind) => [kind.kind, kind]));
  const wantedBy: WantedBy = ({ form, kind, parameters, negate }, expected_messages) => {
    const context = { expected_messages, wantedBy: (inner: Assertion) => wantedBy(inner, expected_messages) };
    const wanted =
      form === 'claim'
        ? claimKinds.get(kind)?.oracle(parameters)
        : evaluatorKinds.get(kind)?.oracle?.(parameters, context);
    return wanted !== undefined && negate ? refuseWanted(wanted) : wanted;
  };
  return wantedBy;
}
