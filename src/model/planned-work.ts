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
  /** Files that agents and checks write themselves: a change of these runs nothing. */
  readonly own_output: readonly string[];
  /** Those of them that somebody may have edited during a run: no line of the code writes there. */
  readonly unsure_output: readonly string[];
  /** Files outside of the project that the agents consist of. */
  readonly outside: readonly string[];
  /** The number of model calls, as far as earlier attempts tell. */
  readonly model_calls?: number | undefined;
  readonly cost_usd?: number | undefined;
}
