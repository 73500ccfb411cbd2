import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import type { WeakAnswer } from '../../checks/contract/weak-answer.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import type { Message } from '../../base/model/message.ts';
import type { Test } from '../../base/model/test.ts';
import type { ReplyRequirements } from '../../base/model/reply-requirements.ts';
import type { RequirementsOf } from './requirements-of.ts';

export interface CheckableAssertion {
  readonly assertion: Assertion;
  readonly wanted: ReplyRequirements;
  /** What it counts: 0 when it is only shown. */
  readonly weight: number;
  /** Answers that say next to nothing, to try on it. */
  readonly weakAnswers: readonly (readonly WeakAnswer[])[];
}

/** A test without what only a judge or a program can decide. */
export interface CheckableTest {
  /** As its author wrote it. */
  readonly authored: Test;
  /** As it is run here. */
  readonly test: Test;
  /** Of each step. */
  readonly steps: readonly (readonly CheckableAssertion[])[];
  /** Of the whole test. */
  readonly whole: readonly CheckableAssertion[];
  /** What was left out. */
  readonly judged: readonly Assertion[];
}

export function toCheckable(test: Test, wantedBy: RequirementsOf, kinds: AssertionKinds): CheckableTest {
  const judged: Assertion[] = [];
  const choose = (assertions: readonly Assertion[], expected: readonly Message[]): CheckableAssertion[] => {
    const toOwn = (assertion: Assertion, weight: number): readonly CheckableAssertion[] => {
      const wanted = wantedBy(assertion, expected);
      if (wanted === undefined) return [];
      const { parameters, negate } = assertion;
      const weakAnswers = negate ? undefined : kinds.of(assertion)?.weakAnswers?.(parameters);
      return [{ assertion, wanted, weight, weakAnswers: weakAnswers ?? [] }];
    };
    // A judge that is only asked for its opinion decides nothing.
    judged.push(
      ...assertions.filter(
        (assertion) => assertion.weight > 0 && wantedBy(assertion, expected) === undefined,
      ),
    );
    // Where none has a weight, that is wrong, and each is checked as if it had one.
    const areAllIdle = assertions.every(({ weight }) => weight === 0);
    return [
      ...assertions.flatMap((assertion) => toOwn(assertion, areAllIdle ? 1 : assertion.weight)),
      ...assertions.flatMap((assertion) =>
        countedMembers(assertion, kinds).flatMap(({ member, weight }) => toOwn(member, weight)),
      ),
    ];
  };
  const steps = test.steps.map((step) => choose(step.assertions, step.expected_messages));
  const whole = choose(
    test.assertions,
    test.steps.flatMap(({ expected_messages }) => expected_messages),
  );
  return {
    authored: test,
    test: {
      ...test,
      steps: test.steps.map((step, index) => ({ ...step, assertions: steps[index]!.map(only) })),
      assertions: whole.map(only),
      // One attempt decides here; how often a stochastic agent must pass does not matter.
      pass_at_least: undefined,
    },
    steps,
    whole,
    judged,
  };
}

function only({ assertion }: CheckableAssertion): Assertion {
  return assertion;
}

interface Member {
  readonly member: Assertion;
  /** What it counts in the test. */
  readonly weight: number;
}

/**
 * The evaluators inside of another, as evaluators of the test that never decide: each of them can be checked like the
 * others.
 */
function countedMembers(assertion: Assertion, kinds: AssertionKinds): readonly Member[] {
  const nests = kinds.of(assertion)?.nests;
  return membersOf(assertion).flatMap((inner) => {
    const weight = assertion.weight * (nests?.weightOf(inner, assertion.parameters) ?? 1);
    const member = { ...inner, name: `${assertion.name} > ${inner.name}`, weight: 0, required: false };
    return [{ member, weight }, ...countedMembers({ ...member, weight }, kinds)];
  });
}
