import { plainFaults } from '../../../base/model/fault.ts';
import { jsonEqual } from '../../../base/match/json-equal.ts';
import { membersOf, type Assertion } from '../../../base/model/assertion.ts';
import type { Json } from '../../../base/model/json.ts';
import type { Test } from '../../../base/model/test.ts';

/** The id of the first test that differs, apart from where it stands; undefined if all are the same. */
export function firstDifference(before: readonly Test[], after: readonly Test[]): string | undefined {
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    const [one, other] = [before[index], after[index]];
    if (one === undefined || other === undefined) return (one ?? other)!.id;
    if (!jsonEqual(plain(one), plain(other))) return one.id;
  }
  return undefined;
}

function plain({ place: _place, row: _row, steps, assertions, faults, ...test }: Test): Json {
  const withoutPlaces = {
    ...test,
    faults: faults && plainFaults(faults),
    assertions: assertions.map(plainAssertion),
    steps: steps.map(({ input_messages, expected_messages, assertions: checks, approval }) => ({
      ...(approval === undefined ? {} : { approval: approval as unknown as Json }),
      input_messages,
      expected_messages,
      assertions: checks.map(plainAssertion),
    })),
  };
  return Object.fromEntries(Object.entries(withoutPlaces).filter(([, value]) => value !== undefined)) as Json;
}

function plainAssertion(assertion: Assertion): Json {
  const { place: _place, nests, parameters, ...rest } = assertion;
  const inner = nests === undefined ? {} : { [nests]: membersOf(assertion).map(plainAssertion) };
  // Evaluators that Assay adds have no fields without a value.
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), parameters: { ...parameters, ...inner } } as unknown as Json;
}
