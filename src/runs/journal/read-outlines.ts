import type { RecordOutline } from '../../base/model/record.ts';
import type { FileDigest } from './file-digest.ts';
import { readRecordLines } from './journal-reader.ts';
import { outlineOf } from './record-outline.ts';

/**
 * The records of a journal without their steps, many times faster than with them. An attempt that ran again occurs
 * twice, as in the journal; the last one counts. `digest`: as in `readRecordLines`.
 */
export function* readOutlines(path: string, digest?: FileDigest): Generator<RecordOutline> {
  for (const { bytes, length } of readRecordLines(path, digest)) {
    const outline = outlineOf(bytes, length);
    if (outline !== undefined) yield outline;
  }
}
