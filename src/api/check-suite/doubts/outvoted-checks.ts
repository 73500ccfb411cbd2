import { weightOf, type Aggregator } from '../../../assertions/evaluators/aggregate.ts';
import { reaches } from '../../../model/threshold.ts';
import type { Assertion } from '../../../model/assertion.ts';
import type { Test } from '../../../model/test.ts';

export interface Outvoted {
  readonly assertion: Assertion;
  /** Every evaluator of its list that counts. */
  readonly count: number;
  /** The score of the test with this one at 0 and all others at 1. */
  readonly score: number;
}

/**
 * Evaluators that may score 0 while the test passes although nobody chose so: neither a threshold nor `required` was set,
 * and weights do not tell them apart. Of each list the first one.
 */
export function outvotedChecks(
  { steps, assertions, threshold }: Test,
  defaultThreshold: number,
): readonly Outvoted[] {
  if (threshold !== undefined) return [];
  return [...steps.map((step) => step.assertions), assertions].flatMap((list) => {
    const evaluators = list.filter(({ form }) => form === 'evaluator');
    if (evaluators.some(({ required }) => required !== false)) return [];
    return outvotedIn(
      evaluators.map((assertion) => ({ assertion, weight: assertion.weight })),
      1,
      defaultThreshold,
    );
  });
}

interface Voter {
  readonly assertion: Assertion;
  readonly weight: number;
}

/** `share` is what the list counts in the test. */
function outvotedIn(all: readonly Voter[], share: number, threshold: number): readonly Outvoted[] {
  const voters = all.filter(({ weight }) => weight > 0);
  const total = voters.reduce((sum, { weight }) => sum + weight, 0);
  const areAlike = voters.every(({ weight }) => weight === voters[0]!.weight);
  const found: Outvoted[] = [];
  for (const { assertion, weight } of voters) {
    const own = (share * weight) / total;
    const isChosen = !areAlike && !(voters.length >= MANY && weight === 1) && own >= NEXT_TO_NOTHING;
    if (isChosen) continue;
    const members = membersOf(assertion);
    if (members.length > 0) found.push(...outvotedIn(members, own, threshold));
    else if (reaches(1 - own, threshold)) found.push({ assertion, count: voters.length, score: 1 - own });
  }
  return found.slice(0, 1);
}

/** So many alike reach the usual threshold without one of them. */
const MANY = 5;
/** A weight that small decides nothing, and is no 0 either. */
const NEXT_TO_NOTHING = 0.05;

function membersOf({ kind, parameters }: Assertion): readonly Voter[] {
  if (kind !== 'composite') return [];
  const { evaluators = [], aggregator } = parameters as unknown as {
    readonly evaluators?: readonly Assertion[];
    readonly aggregator?: Aggregator;
  };
  if (aggregator !== undefined && aggregator.type !== 'weighted_average') return [];
  return evaluators.map((assertion) => ({
    assertion,
    weight: aggregator === undefined ? 1 : weightOf(assertion.name, aggregator),
  }));
}
