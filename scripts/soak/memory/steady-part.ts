import type { Sample } from './growth.ts';

export interface SteadyOptions {
  readonly durationMs: number;
  /** How often memory is looked at. */
  readonly everyMs: number;
}

/** What came of one long-lived process. */
export interface SteadyPart {
  readonly name: string;
  readonly samples: readonly Sample[];
  /** How much it did, and of what. */
  readonly work: { readonly count: number; readonly of: string };
  /** What went wrong besides. */
  readonly problems: readonly string[];
}
