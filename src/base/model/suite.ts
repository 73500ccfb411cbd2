import type { Test } from './test.ts';

export type Format = 'eval' | 'dataset' | 'steps';

/** The tests of one file and what they share. */
export interface Suite {
  readonly file: string;
  readonly format: Format;
  /** The name that results are grouped under; by default the file name. */
  readonly dataset: string;
  readonly description?: string | undefined;
  /** The file has spellings that only AgentV 4 and newer have, so its evaluators mean what they mean there. */
  readonly written_for?: 'agentv' | undefined;
  readonly tests: readonly Test[];
}
