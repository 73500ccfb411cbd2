/** How many of a test's measured attempts passed. Errors and skipped attempts are in neither number. */
export interface PassCounts {
  readonly passed: number;
  readonly measured: number;
}

/** A number of tests with the same counts: the figures of a run depend on nothing else. */
export interface CountedTests extends PassCounts {
  readonly tests: number;
  /** Of a test with several targets: the counts of each, which are not independent. */
  readonly parts?: readonly PassCounts[] | undefined;
}
