import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Message } from '../../base/model/message.ts';
import type { Test } from '../../base/model/test.ts';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { duplicateChecks } from './weaknesses/duplicate-checks.ts';
import { outvotedChecks } from './weaknesses/outvoted-checks.ts';
import { weakAssertion, outvoted, sameCheck } from './suite-findings.ts';

export interface WeaknessOptions {
  readonly kinds: AssertionKinds;
  /** The threshold of a test without its own; undefined if somebody chose it. */
  readonly defaultThreshold: number | undefined;
}

/** What makes a test and its assertions weaker than they look. Nothing runs for this. */
export function testWeaknesses(test: Test, { kinds, defaultThreshold }: WeaknessOptions): readonly Finding[] {
  const everything = test.steps.flatMap(({ expected_messages }) => expected_messages);
  return [
    ...test.steps.flatMap(({ assertions, expected_messages }) =>
      weaknessesOf(test, assertions, { kinds, expected_messages }),
    ),
    ...weaknessesOf(test, test.assertions, { kinds, expected_messages: everything }),
    ...duplicateChecks(test).map((duplicate) => sameCheck(test, duplicate)),
    ...(defaultThreshold === undefined
      ? []
      : outvotedChecks(test, defaultThreshold, kinds).map((found) => outvoted(test, found))),
  ];
}

interface Context {
  readonly kinds: AssertionKinds;
  readonly expected_messages: readonly Message[];
}

function weaknessesOf(test: Test, assertions: readonly Assertion[], context: Context): readonly Finding[] {
  const { kinds, expected_messages } = context;
  return assertions.flatMap((assertion) => {
    const weaknesses = kinds.of(assertion)?.weaknesses?.(assertion.parameters, { expected_messages }) ?? [];
    return [
      ...weaknesses.map((weakness) => weakAssertion(test, assertion, weakness)),
      ...weaknessesOf(test, membersOf(assertion), context),
    ];
  });
}
