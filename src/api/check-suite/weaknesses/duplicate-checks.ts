import { membersOf, type Assertion } from '../../../base/model/assertion.ts';
import type { Test } from '../../../base/model/test.ts';
import { whatItChecks } from './what-it-checks.ts';

export interface Duplicate {
  readonly assertion: Assertion;
  readonly first: Assertion;
}

/** Assertions that repeat an earlier one of the same list. */
export function duplicateChecks({ steps, assertions }: Test): readonly Duplicate[] {
  return [...steps.map((step) => step.assertions), assertions].flatMap(duplicatesIn);
}

function duplicatesIn(list: readonly Assertion[]): readonly Duplicate[] {
  const seen = new Map<string, Assertion>();
  const found: Duplicate[] = [];
  for (const assertion of list) {
    const what = whatItChecks(assertion);
    const first = seen.get(what);
    if (first === undefined) seen.set(what, assertion);
    else found.push({ assertion, first });
    found.push(...duplicatesIn(membersOf(assertion)));
  }
  return found;
}
