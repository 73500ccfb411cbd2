import { hashFile } from '../../base/files/hash-file.ts';
import { hashHex } from '../../base/match/hash-text.ts';

/** Identifies the text of a suite, and the files of rows that belong to it. */
export function hashSuite(text: string, rowFiles: ReadonlySet<string>): string {
  const hash = hashHex(text);
  return rowFiles.size === 0 ? hash : hashHex([hash, ...[...rowFiles].map(hashIfReadable)].join(' '));
}

/** A file that cannot be read has a finding of its own. */
function hashIfReadable(file: string): string {
  try {
    return hashFile(file);
  } catch {
    return '';
  }
}
