import { closeSync, openSync, readSync } from 'node:fs';
import { JOURNAL_VERSION } from './line-opener.ts';

/** Whether every line of a journal has a checksum, by its header. Without them nobody knows whether a record was changed. */
export function hasChecksums(path: string): boolean {
  const start = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    const length = readSync(file, start, 0, start.length, 0);
    const [, version] = /^\{"assay_journal":(\d+)/.exec(start.toString('latin1', 0, length)) ?? [];
    return Number(version ?? 0) >= JOURNAL_VERSION;
  } finally {
    closeSync(file);
  }
}
