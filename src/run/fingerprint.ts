import { hashHex } from '../match/hash-text.ts';
import type { Assertion } from '../model/assertion.ts';
import { printJson } from '../model/print-json.ts';
import type { Test } from '../model/test.ts';

/**
 * Recognises a test that has not changed: what the agent is told, what is checked, and how. Where it stands in its file
 * does not count.
 */
export function fingerprint(test: Test, settings: string): string {
  const { id, memory, threshold, expected_outcome, steps, assertions } = test;
  const told = steps.map((step) => [
    step.input_messages,
    step.expected_messages,
    step.assertions.map(essence),
  ]);
  return hashHex(
    printJson([settings, id, memory, threshold, expected_outcome, told, assertions.map(essence)]),
  );
}

/** What an assertion says, without where it stands. */
function essence({ form, kind, name, weight, required, negate, parameters }: Assertion): unknown {
  const inner = parameters['evaluators'] as unknown as readonly Assertion[] | undefined;
  const said = inner === undefined ? parameters : { ...parameters, evaluators: inner.map(essence) };
  return [form, kind, name, weight, required, negate, said];
}
