import type { Assertion } from '../../model/assertion.ts';
import type { Message } from '../../model/message.ts';
import type { Test } from '../../model/test.ts';
import type { WantedReply } from '../../model/wanted-reply.ts';
import type { WantedBy } from './wanted-by.ts';

export interface CheckableAssertion {
  readonly assertion: Assertion;
  readonly wanted: WantedReply;
}

/** A test without what only a judge or a program can decide. */
export interface CheckableTest {
  readonly test: Test;
  /** Of each step. */
  readonly steps: readonly (readonly CheckableAssertion[])[];
  /** Of the whole test. */
  readonly whole: readonly CheckableAssertion[];
  /** What was left out. */
  readonly judged: readonly Assertion[];
}

export function toCheckable(test: Test, wantedBy: WantedBy): CheckableTest {
  const judged: Assertion[] = [];
  const choose = (assertions: readonly Assertion[], expected: readonly Message[]): CheckableAssertion[] =>
    assertions.flatMap((assertion) => {
      const wanted = wantedBy(assertion, expected);
      if (wanted === undefined) judged.push(assertion);
      return wanted === undefined ? [] : [{ assertion, wanted }];
    });
  const steps = test.steps.map((step) => choose(step.assertions, step.expected_messages));
  const whole = choose(
    test.assertions,
    test.steps.flatMap(({ expected_messages }) => expected_messages),
  );
  return {
    test: {
      ...test,
      steps: test.steps.map((step, index) => ({ ...step, assertions: steps[index]!.map(only) })),
      assertions: whole.map(only),
      // One attempt decides here; how often a stochastic agent must pass is no matter.
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
