import { jsonEqual } from '../../base/match/json-equal.ts';
import type { Redactor } from '../../base/match/redact-secrets.ts';
import { plainFaults } from '../../base/model/fault.ts';
import type { Json } from '../../base/model/json.ts';
import { parseJson } from '../../base/model/parse-json.ts';
import { printJson } from '../../base/model/print-json.ts';
import type { AttemptRecord } from '../../base/model/record.ts';
import type { Test } from '../../base/model/test.ts';

/**
 * What the agent would receive now that it did not receive when it gave the recorded replies: a verdict on them
 * would be about another question. Undefined if nothing changed. Expected values and assertions may differ.
 */
export function changedQuestion(record: AttemptRecord, test: Test, redactor: Redactor): string | undefined {
  if (record.verdict === 'skipped')
    return test.skip === undefined ? 'the test was skipped, so there is no reply to grade' : undefined;
  const { steps } = record;
  const changes: string[] = [];
  if (steps.length !== test.steps.length && !(isCut(record) && steps.length < test.steps.length))
    changes.push(`the number of steps (${steps.length} then, ${test.steps.length} now)`);
  if (steps.length > 0 && !isSame(steps[0]!.memory_before, test.memory ?? {}, redactor))
    changes.push('the memory that the test starts with');
  for (const [index, { input_messages }] of steps.entries()) {
    const today = test.steps[index];
    if (today !== undefined && !isSame(input_messages, today.input_messages, redactor))
      changes.push(test.steps.length === 1 ? 'the input' : `the input of step ${index + 1}`);
  }
  if (!isSame(record.faults ?? [], plainFaults(test.faults ?? []), redactor)) changes.push('the faults');
  return changes.length === 0 ? undefined : `${changes.join(', ')} changed after the agent replied`;
}

/** The agent failed before the last step. */
function isCut({ steps, error }: AttemptRecord): boolean {
  const last = steps.at(-1);
  return (
    error !== undefined && (last === undefined || (last.error !== undefined && last.output === undefined))
  );
}

/** Records contain JSON without secrets: the compared value is prepared in the same way. */
function isSame(recorded: unknown, today: unknown, redactor: Redactor): boolean {
  const text = printJson(redactor.value(today));
  return text === printJson(recorded) || jsonEqual(recorded as Json, parseJson(text, RECORD_DEPTH));
}

const RECORD_DEPTH = { maxDepth: 2000 };
