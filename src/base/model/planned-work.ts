/** Which attempts run again although nothing changed. */
export type Rerun = 'all' | 'failed' | readonly string[];

/** What a run that only runs what changed is about to do. */
export interface PlannedWork {
  /** The attempts that call an agent. */
  readonly attempts: readonly string[];
  /** How many recorded replies are graded again, because only what is checked has changed. */
  readonly regraded: number;
  readonly unchanged: number;
  /** Tests were added or removed: the results are others, even if nothing runs. */
  readonly has_other_tests: boolean;
  /** The targets that are called because Assay does not know what their answers depend on. */
  readonly unknown: readonly { readonly target: string; readonly reason: string }[];
  /** Files outside of the project that the agents consist of. */
  readonly outside: readonly string[];
  /** The number of model calls, as far as earlier attempts tell. */
  readonly model_calls?: number | undefined;
  readonly cost_usd?: number | undefined;
}
