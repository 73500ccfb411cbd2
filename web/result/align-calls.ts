import {
  isJsonList,
  isJsonObject,
  objectsIn,
  type Json,
  type JsonObject,
} from '../../src/base/model/json.ts';
import type { AssertionRecord } from '../../src/base/model/record.ts';

export type CallState =
  | 'matched'
  | 'missing'
  | 'extra'
  | 'out_of_order'
  | 'wrong_arguments'
  | 'wrong_tool'
  | 'too_slow';

/** An expected call and the matching actual one; one of them may be missing. */
export interface AlignedCall {
  readonly state: CallState;
  readonly expected?: JsonObject | undefined;
  readonly actual?: JsonObject | undefined;
  /** Of the actual call, among all calls. */
  readonly place?: number | undefined;
  /** Of the arguments. */
  readonly differences: readonly JsonObject[];
}

const PAIRED: readonly CallState[] = ['matched', 'out_of_order', 'wrong_arguments', 'wrong_tool', 'too_slow'];

/** The actual calls of a trajectory beside the expected ones. Undefined if the record does not say how they align. */
export function alignCalls({
  expected,
  actual,
  details,
}: AssertionRecord): readonly AlignedCall[] | undefined {
  if (
    !isJsonList(expected) ||
    !isJsonList(actual) ||
    !isJsonObject(details) ||
    !isJsonList(details['matched'])
  )
    return undefined;
  const pairs = PAIRED.flatMap((state) => objectsIn(details[state]).map((entry) => ({ state, entry })));
  const extras = objectsIn(details['extra']).map((entry) => Number(entry['actual']));
  const rows: AlignedCall[] = [];
  const addExtrasBefore = (limit: number): void => {
    while (extras.length > 0 && extras[0]! < limit) {
      const place = extras.shift()!;
      rows.push({ state: 'extra', actual: callAt(actual, place), place, differences: [] });
    }
  };
  const missing = new Set(objectsIn(details['missing']).map((entry) => Number(entry['expected'])));
  for (const index of expected.keys()) {
    const call = callAt(expected, index);
    if (missing.has(index)) rows.push({ state: 'missing', expected: call, differences: [] });
    // In `subset` one expected call may allow several, or none.
    for (const { state, entry } of pairs.filter((pair) => pair.entry['expected'] === index)) {
      const place = Number(entry['actual']);
      addExtrasBefore(place);
      rows.push({
        state,
        expected: call,
        actual: callAt(actual, place),
        place,
        differences: objectsIn(entry['differences']),
      });
    }
  }
  addExtrasBefore(Infinity);
  return rows;
}

function callAt(calls: readonly Json[], index: number): JsonObject | undefined {
  const call = calls[index];
  return isJsonObject(call) ? call : undefined;
}
