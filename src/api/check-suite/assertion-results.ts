import type { AssertionRecord, AttemptRecord } from '../../base/model/record.ts';
import type { CheckableAssertion, CheckableTest } from './checkable-test.ts';

/** An assertion of a test, with the group it belongs to: a step, or the whole test. */
export interface PlacedAssertion extends CheckableAssertion {
  /** Undefined for the whole test. */
  readonly step: number | undefined;
  readonly index: number;
}

/** Every assertion of a test that can be checked. */
export function placedAssertions({ steps, whole }: CheckableTest): readonly PlacedAssertion[] {
  return [
    ...steps.flatMap((group, step) => group.map((own, index) => ({ ...own, step, index }))),
    ...whole.map((own, index) => ({ ...own, step: undefined, index })),
  ];
}

/** The result of an assertion in an attempt; undefined if the attempt did not get that far. */
export function resultOf(
  record: AttemptRecord,
  { step, index }: PlacedAssertion,
): AssertionRecord | undefined {
  return step === undefined ? record.assertions[index] : record.steps[step]?.assertions[index];
}

/** Whether an assertion holds in full: a threshold may accept less. */
export function holdsFully(record: AttemptRecord, own: PlacedAssertion): boolean {
  const result = resultOf(record, own);
  return result?.passed === true && (result.score ?? 1) >= 1 - ROUNDING;
}

const ROUNDING = 1e-9;
