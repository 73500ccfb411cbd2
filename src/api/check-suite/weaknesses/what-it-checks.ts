import { membersOf, withMembers, type Assertion } from '../../../base/model/assertion.ts';
import { sortedJson } from '../weaknesses/sorted-json.ts';

/** What an assertion checks, without its name, weight and place. */
export function whatItChecks(assertion: Assertion): string {
  const { form, kind, negate } = assertion;
  const { parameters } = withMembers(assertion, []);
  return sortedJson([form, kind, negate, parameters, ...membersOf(assertion).map(howItCounts)]);
}

/** The same with its weight. */
export function howItCounts(assertion: Assertion): string {
  const { weight, required } = assertion;
  return `${whatItChecks(assertion)} ${weight} ${String(required)}`;
}
