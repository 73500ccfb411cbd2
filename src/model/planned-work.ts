/** What a run that only runs what changed is about to do. */
export interface PlannedWork {
  /** The attempts that call an agent. */
  readonly attempts: readonly string[];
  /** How many recorded replies are graded again, because only what is checked has changed. */
  readonly regraded: number;
  readonly unchanged: number;
  /** The number of model calls, as far as earlier attempts tell. */
  readonly model_calls?: number | undefined;
  readonly cost_usd?: number | undefined;
}
