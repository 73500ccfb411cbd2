import { join } from 'node:path';
import { hashHex } from '../../base/match/hash-text.ts';

export interface CassetteName {
  /** The suite, relative to the project, with `/`. */
  readonly file: string;
  readonly test: string;
  readonly target: string;
}

/** Where the cassette of a test is: one folder per suite, one file per test and target. */
export function cassettePath(folder: string, { file, test, target }: CassetteName): string {
  const suite = file.split('/').map((part) => (part === '..' ? '_up' : part));
  return join(folder, ...suite, `${fileName(test)}@${fileName(target)}.json`);
}

const PLAIN = /^[a-z0-9][a-z0-9._-]{0,59}$/;

/**
 * A name that any file system takes. Two names that look alike on one of them, which may not tell `A` from `a`, get different hashes.
 */
function fileName(name: string): string {
  if (PLAIN.test(name)) return name;
  const safe = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|-+$/g, '')
    .slice(0, 50);
  return `${safe === '' ? 'x' : safe}~${hashHex(name).slice(0, 8)}`;
}
