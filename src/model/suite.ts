import type { Test } from './test.ts';

export type Format = 'eval' | 'dataset' | 'steps';

/** The tests of one file and what they share. */
export interface Suite {
  readonly file: string;
  readonly format: Format;
  /** The name that results are grouped under; by default the file name. */
  readonly dataset: string;
  readonly description?: string;
  readonly tests: readonly Test[];
}
