import { IdTable } from '../../../suites/formats/id-table.ts';
import type { Json } from '../../../base/model/json.ts';
import type { Test } from '../../../base/model/test.ts';
import type { CheckableTest } from '../checkable-test.ts';
import { howItCounts } from './what-it-checks.ts';
import { sortedJson } from './sorted-json.ts';

/** Recognises the tests of one file by their content, in a few bytes each. */
export class SameTests {
  private readonly known = new IdTable();

  /** The line of an earlier test with the same input and the same checks. */
  lineOfSame({ authored, judged }: CheckableTest): number | undefined {
    // A description is not checked, unless a judge reads it.
    const described = judged.length === 0 ? undefined : authored.expected_outcome;
    return this.known.add(
      whatItTests({ ...authored, expected_outcome: described }),
      (authored.row ?? authored.place).line,
    );
  }
}

function whatItTests({
  steps,
  assertions,
  memory,
  threshold,
  target,
  conversation_id,
  expected_outcome,
}: Test): string {
  const said = steps.map(({ input_messages, expected_messages }) => [input_messages, expected_messages]);
  const checks = [...steps.map((step) => step.assertions), assertions].map((list) =>
    list.map(howItCounts).toSorted(),
  );
  const rest = [memory, threshold, target, conversation_id, expected_outcome].map((value) => value ?? null);
  return sortedJson([said, checks, rest] as unknown as Json);
}
