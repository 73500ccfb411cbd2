import type { Json } from '../../base/model/json.ts';
import type { RecordOutline } from '../../base/model/record.ts';
import { sealedLength, withoutSeal } from './checksum.ts';
import { isRecord, parseRecord } from './journal-reader.ts';

/**
 * The fields of a record before and after its steps and assertions. Those are not parsed: they contain most bytes
 * of a journal. A line with another layout than our writer's is parsed as a whole; undefined for one that is not a
 * record. `length`: of its JSON, without the checksum.
 */
export function outlineOf(line: Buffer, length = sealedLength(line)): RecordOutline | undefined {
  return length === undefined ? undefined : (skimmed(line, length) ?? parseRecord(line, length));
}

/** Inside a string these quotes would be escaped, so the texts occur only as keys. */
const BEFORE_STEPS = ',"steps":[';
const AFTER_ASSERTIONS = '],"retries":';

function skimmed(line: Buffer, length: number): RecordOutline | undefined {
  const head = line.indexOf(BEFORE_STEPS);
  const tail = line.lastIndexOf(AFTER_ASSERTIONS);
  if (head === -1 || tail < head) return undefined;
  try {
    const end = withoutSeal(line.subarray(tail + 2), length - (tail + 2));
    const text = `${line.toString('utf8', 0, head)},${end}`;
    const value = JSON.parse(text) as Json;
    return isRecord(value) ? (value as unknown as RecordOutline) : undefined;
  } catch {
    return undefined;
  }
}
