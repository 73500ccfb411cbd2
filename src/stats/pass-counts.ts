/** How often one test passed of the attempts that were measured. Errors and skipped attempts are in neither number. */
export interface PassCounts {
  readonly passed: number;
  readonly measured: number;
}

/** So many tests with the same counts: the numbers of a run depend on nothing else. */
export interface CountedTests extends PassCounts {
  readonly tests: number;
}
