/** What a run came to. `tests` counts test times target; `attempts` counts the repeats too. */
export interface Summary {
  readonly tests: number;
  readonly attempts: number;
  readonly passed: number;
  readonly failed: number;
  readonly error: number;
  readonly skipped: number;
  readonly flaky: number;
  readonly duration_ms: number;
  readonly interrupted: boolean;
}
