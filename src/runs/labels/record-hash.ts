import { createHash } from 'node:crypto';

/** Identifies a record by its line in the journal: a label belongs to exactly this answer. */
export function recordHash(line: Uint8Array): string {
  return createHash('sha256').update(line).digest('hex').slice(0, 32);
}
