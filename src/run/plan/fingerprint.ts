import { TextHash } from '../../base/match/hash-text.ts';
import { membersOf, type Assertion } from '../../base/model/assertion.ts';
import { plainFaults } from '../../base/model/fault.ts';
import type { Json, JsonObject } from '../../base/model/json.ts';
import type { Test } from '../../base/model/test.ts';
import { DEFAULT_THRESHOLD } from '../../base/model/threshold.ts';

/** What a verdict depends on besides the test. */
export interface VerdictSettings {
  /** The agent's identity: its name and its settings. */
  readonly target: string;
  /** Undefined: nobody chose one. */
  readonly threshold: number | undefined;
  readonly strict?: boolean | undefined;
  /** Hashes of the files, programs and judges that its assertions use, if any. */
  readonly checks?: string | undefined;
}

/**
 * Recognises an unchanged test: what is sent to the agent, what is checked, and how. Its place in the file does not
 * matter.
 */
export function fingerprint(
  test: Test,
  { target, threshold, strict = false, checks }: VerdictSettings,
): string {
  const hash = new TextHash();
  addValue(hash, `${target} ${threshold ?? DEFAULT_THRESHOLD}${strict ? ' strict' : ''}`);
  addValue(hash, test.id);
  addValue(hash, test.memory);
  addValue(hash, test.threshold);
  addValue(hash, test.expected_outcome);
  hash.addNumber(test.steps.length);
  const isChosen = (test.threshold ?? threshold) !== undefined;
  for (const { input_messages, expected_messages, assertions, approval } of test.steps) {
    if (approval !== undefined) addValue(hash, approval as unknown as Json);
    addValue(hash, input_messages);
    addValue(hash, expected_messages);
    addAssertions(hash, assertions, isChosen);
  }
  addAssertions(hash, test.assertions, isChosen);
  if (test.limits !== undefined) addValue(hash, test.limits as JsonObject);
  if (test.approvals !== undefined) addValue(hash, test.approvals as unknown as Json);
  if (test.stop_after !== undefined) addValue(hash, test.stop_after);
  if (test.faults !== undefined && test.faults.length > 0)
    addValue(hash, plainFaults(test.faults) as unknown as Json);
  if (test.workspace !== undefined) {
    const { place: _, ...plan } = test.workspace;
    addValue(hash, JSON.stringify(plan));
  }
  if (checks !== undefined) addValue(hash, checks);
  return hash.hex();
}

/** The content of assertions, without their places. */
function addAssertions(hash: TextHash, assertions: readonly Assertion[], isChosen: boolean): void {
  hash.addNumber(assertions.length);
  for (const assertion of assertions) {
    const { form, kind, name, weight, required, negate, parameters, nests } = assertion;
    addValue(hash, form);
    addValue(hash, weight);
    addValue(hash, assertion.needsFullScore === true && !isChosen ? 1 : required);
    addValue(hash, negate);
    addValue(hash, kind);
    addValue(hash, name);
    const keys = Object.keys(parameters);
    hash.addNumber(keys.length);
    for (const key of keys) {
      addValue(hash, key);
      if (key === nests) addAssertions(hash, membersOf(assertion), true);
      else addValue(hash, parameters[key]);
    }
  }
}

/** The type and length come before the content, so that no two values give the same bytes. */
function addValue(hash: TextHash, value: Json | undefined): void {
  switch (typeof value) {
    case 'string':
      hash.addNumber(STRING);
      hash.addNumber(value.length);
      hash.add(value);
      return;
    case 'boolean':
      hash.addNumber(value ? TRUE : FALSE);
      return;
    case 'object':
      if (value === null) hash.addNumber(NULL);
      else if (Array.isArray(value)) addItems(hash, value as readonly Json[]);
      else addMembers(hash, value as JsonObject);
      return;
    default:
      // Any kind of number, or undefined.
      addValue(hash, String(value));
      hash.addNumber(OTHER);
  }
}

function addItems(hash: TextHash, items: readonly Json[]): void {
  hash.addNumber(LIST);
  hash.addNumber(items.length);
  for (const item of items) addValue(hash, item);
}

function addMembers(hash: TextHash, object: JsonObject): void {
  const keys = Object.keys(object);
  hash.addNumber(OBJECT);
  hash.addNumber(keys.length);
  for (const key of keys) {
    addValue(hash, key);
    addValue(hash, object[key]);
  }
}

/** Below zero, so that it cannot be a length. */
const STRING = -1;
const TRUE = -2;
const FALSE = -3;
const NULL = -4;
const LIST = -5;
const OBJECT = -6;
const OTHER = -7;
