import type { RecordOutline } from '../model/record.ts';
import { readRecordLines } from './journal-reader.ts';

/**
 * The records of a journal without their steps, many times faster than with them. An attempt that was made again is there
 * twice, as in the journal; the last one counts.
 */
export function* readOutlines(path: string): Generator<RecordOutline> {
  for (const { bytes } of readRecordLines(path)) {
    const outline = readEnds(bytes) ?? parse(bytes.toString('utf8'));
    if (typeof outline?.id === 'string' && typeof outline.verdict === 'string') yield outline;
  }
}

const STEPS = Buffer.from(',"steps":[');
const AFTER_ASSERTIONS = Buffer.from('],"retries":');

/**
 * A record is written with its steps and assertions in the middle: what stands before and after them is an object of its
 * own. What is searched for cannot stand in a string, where quotes are escaped; and if it were found inside a step, the
 * ends would not fit together. Then, as for a record in another order, the whole line is read.
 */
function readEnds(bytes: Buffer): RecordOutline | undefined {
  const start = bytes.indexOf(STEPS);
  const end = bytes.lastIndexOf(AFTER_ASSERTIONS);
  if (start === -1 || end < start) return undefined;
  return parse(`${bytes.toString('utf8', 0, start)},${bytes.toString('utf8', end + 2)}`);
}

function parse(text: string): RecordOutline | undefined {
  try {
    return JSON.parse(text) as RecordOutline;
  } catch {
    // A damaged line counts as not there.
    return undefined;
  }
}
