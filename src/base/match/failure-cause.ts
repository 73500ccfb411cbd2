import { scoreProblem } from '../model/all-problems.ts';
import { printJson } from '../model/print-json.ts';
import type { AssertionRecord, AttemptRecord } from '../model/record.ts';
import { TextHash } from './hash-text.ts';

/**
 * Identifies why an attempt did not pass: the same for two tests only if reading about one of them says all about
 * the other. What the agent was asked is not part of it. What it answered is, as far as an assertion that failed read it.
 */
export function failureCause(record: AttemptRecord): string {
  const hash = new TextHash();
  const add = (...parts: readonly (string | undefined)[]): void => {
    hash.add(`${JSON.stringify(parts)}\n`);
  };
  add(record.verdict, record.error?.kind, record.error?.message);
  for (const { assertions, error, output, tools_used } of record.steps) {
    const bad = assertions.filter(({ passed }) => passed !== true);
    for (const assertion of bad) addAssertion(assertion, add);
    // A comparison says what it read, even that it is absent: the answer is not part of a claim about tools.
    if (
      bad.some(({ error: own, expected, actual }) => own === undefined && (expected ?? actual) === undefined)
    )
      add('reply', output, tools_used?.join('\n'));
    if (error !== undefined) add('step', error.kind, error.message);
  }
  for (const assertion of record.assertions) if (assertion.passed !== true) addAssertion(assertion, add);
  add(scoreProblem(record)?.message);
  return hash.hex();
}

function addAssertion(
  { kind, name, message, error, expected, actual }: AssertionRecord,
  add: (...parts: readonly (string | undefined)[]) => void,
): void {
  if (error !== undefined) return add(kind, name, error.kind, error.message);
  const [wanted, got] = [expected, actual].map((value) =>
    value === undefined ? undefined : printJson(value),
  );
  return add(kind, name, message, wanted, got);
}
