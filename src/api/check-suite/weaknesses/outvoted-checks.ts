import type { AssertionKinds } from '../../../checks/contract/assertion-kinds.ts';
import { reaches } from '../../../base/model/threshold.ts';
import { membersOf, type Assertion } from '../../../base/model/assertion.ts';
import type { Test } from '../../../base/model/test.ts';

export interface Outvoted {
  readonly assertion: Assertion;
  /** Every evaluator of its list that counts. */
  readonly count: number;
  /** The score of the test with this one at 0 and all others at 1. */
  readonly score: number;
}

/**
 * Evaluators that may score 0 while the test passes, although nobody chose that: neither a threshold nor `required`
 * was set, and weights do not distinguish them. Only the first one of each list.
 */
export function outvotedChecks(
  { steps, assertions, threshold }: Test,
  defaultThreshold: number,
  kinds: AssertionKinds,
): readonly Outvoted[] {
  if (threshold !== undefined) return [];
  return [...steps.map((step) => step.assertions), assertions].flatMap((list) => {
    const evaluators = list.filter(({ form }) => form === 'evaluator');
    if (evaluators.some(({ required }) => required !== false)) return [];
    const voters = evaluators.map((assertion) => ({ assertion, weight: assertion.weight }));
    return outvotedIn(voters, 1, { threshold: defaultThreshold, kinds });
  });
}

interface Voter {
  readonly assertion: Assertion;
  readonly weight: number;
}

interface Rules {
  readonly threshold: number;
  readonly kinds: AssertionKinds;
}

/** `share` is the weight of the list in the test. */
function outvotedIn(all: readonly Voter[], share: number, rules: Rules): readonly Outvoted[] {
  const voters = all.filter(({ weight }) => weight > 0);
  const total = voters.reduce((sum, { weight }) => sum + weight, 0);
  const areAlike = voters.every(({ weight }) => weight === voters[0]!.weight);
  const found: Outvoted[] = [];
  for (const { assertion, weight } of voters) {
    const own = (share * weight) / total;
    const isChosen = !areAlike && !(voters.length >= MANY && weight === 1) && own >= NEXT_TO_NOTHING;
    if (isChosen) continue;
    const members = votersIn(assertion, rules.kinds);
    if (members.length > 0) found.push(...outvotedIn(members, own, rules));
    else if (assertion.needsFullScore !== true && reaches(1 - own, rules.threshold))
      found.push({ assertion, count: voters.length, score: 1 - own });
  }
  return found.slice(0, 1);
}

/** This many equal evaluators reach the usual threshold without one of them. */
const MANY = 5;
/** A weight this small decides nothing, but is not 0. */
const NEXT_TO_NOTHING = 0.05;

/** If a judge or a program gives the score, it is unknown which evaluator is outvoted. */
function votersIn(assertion: Assertion, kinds: AssertionKinds): readonly Voter[] {
  const nests = kinds.of(assertion)?.nests;
  const { parameters } = assertion;
  if (nests === undefined || !nests.isMean(parameters)) return [];
  return membersOf(assertion).map((member) => ({
    assertion: member,
    weight: nests.weightOf(member, parameters),
  }));
}
