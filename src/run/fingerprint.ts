import { hashHex } from '../match/hash-text.ts';
import type { Assertion } from '../model/assertion.ts';
import { printJson } from '../model/print-json.ts';
import type { Test } from '../model/test.ts';

/**
 * Recognises a test that has not changed: what the agent is told, what is checked, and how. Where it stands in its file
 * does not count.
 */
export function fingerprint(test: Test, settings: string): string {
  const { id, memory, threshold, expected_outcome } = test;
  const steps = test.steps.map(({ input_messages, expected_messages, assertions }) => ({
    input_messages,
    expected_messages,
    assertions: assertions.map(withoutPlace),
  }));
  return hashHex(
    `${settings}\n${printJson({ id, memory, threshold, expected_outcome, steps, assertions: test.assertions.map(withoutPlace) })}`,
  );
}

function withoutPlace({ place: _place, ...assertion }: Assertion): unknown {
  const inner = assertion.parameters['evaluators'] as unknown as readonly Assertion[] | undefined;
  if (inner === undefined) return assertion;
  return { ...assertion, parameters: { ...assertion.parameters, evaluators: inner.map(withoutPlace) } };
}
