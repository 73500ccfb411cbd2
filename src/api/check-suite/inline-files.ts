import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { membersOf, withMembers, type Assertion } from '../../base/model/assertion.ts';
import type { Test } from '../../base/model/test.ts';

/** A file that an assertion names; undefined if it cannot be read. */
export type ReadText = (path: string) => string | undefined;

/** The test with the content of the files that its assertions name, so that their requirements are known. */
export function withInlineFiles(test: Test, kinds: AssertionKinds, readText: ReadText): Test {
  const inlineAll = (list: readonly Assertion[]): readonly Assertion[] => {
    const inlined = list.map(inline);
    return inlined.some((assertion, index) => assertion !== list[index]) ? inlined : list;
  };
  const inline = (assertion: Assertion): Assertion => {
    const { parameters } = assertion;
    const changed = kinds.of(assertion)?.withFiles?.(parameters, readText) ?? parameters;
    const own = changed === parameters ? assertion : { ...assertion, parameters: changed };
    const members = inlineAll(membersOf(own));
    return members === membersOf(own) ? own : withMembers(own, members);
  };
  const steps = test.steps.map((step) => {
    const assertions = inlineAll(step.assertions);
    return assertions === step.assertions ? step : { ...step, assertions };
  });
  const assertions = inlineAll(test.assertions);
  const isSame = assertions === test.assertions && steps.every((step, index) => step === test.steps[index]);
  return isSame ? test : { ...test, steps, assertions };
}
