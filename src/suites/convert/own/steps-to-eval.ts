import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../../base/model/json.ts';
import type { PathSegment } from '../../../base/model/place.ts';
import type { ConversionLog } from '../conversion-log.ts';
import type { OwnSuite } from './own-suite.ts';

/** Step tests as an eval file: each test is a case with `steps`, and says its id. */
export function stepsToEval({ value, name }: OwnSuite, log: ConversionLog): JsonObject {
  if (!isJsonList(value)) return { evalcases: [caseOf(value as JsonObject, { id: name, log, from: [] })] };
  const evalcases = value.map((item, index) =>
    caseOf(item as JsonObject, { id: `${name}#${index + 1}`, log, from: [index] }),
  );
  return { evalcases };
}

interface CaseContext {
  /** If it has none of its own. */
  readonly id: string;
  readonly log: ConversionLog;
  readonly from: readonly PathSegment[];
}

const STEP_FIELDS: ReadonlySet<string> = new Set(['input', 'assert', 'expected']);
/** They describe the old file, not the test. */
const OF_THE_FORMAT: ReadonlySet<string> = new Set(['schema_version', '$schema']);

function caseOf(item: JsonObject, { id, log, from }: CaseContext): JsonObject {
  const fields: Record<string, Json> = { id: item['id'] ?? id };
  const step: Record<string, Json> = {};
  for (const [key, value] of Object.entries(item)) {
    if (key === 'id' || value === null) continue;
    if (OF_THE_FORMAT.has(key)) leaveOut(key, log, [...from, key]);
    else if (STEP_FIELDS.has(key)) step[key] = value;
    else fields[key] = key === 'steps' ? (value as readonly Json[]).map(withoutNulls) : value;
  }
  if (Object.keys(step).length > 0) fields['steps'] = [step];
  return fields;
}

function withoutNulls(step: Json): Json {
  if (!isJsonObject(step)) return step;
  return Object.fromEntries(Object.entries(step).filter(([, value]) => value !== null));
}

/** Says that a field of the old format has no meaning in the new one. */
export function leaveOut(name: string, log: ConversionLog, from: readonly PathSegment[]): void {
  log.warn({
    code: 'left_out',
    message: `\`${name}\` is about the format of the old file, so it is left out`,
    from,
  });
}
