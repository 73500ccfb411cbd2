import type { Summary } from '../../base/model/summary.ts';

interface Outcome {
  readonly summary: Summary;
  /** A file, the config or the usage was wrong. */
  readonly hasErrors: boolean;
  readonly passWithNoTests: boolean;
}

/**
 * 130: interrupted. 2: something was invalid, or nothing ran. 1: a test failed or a gate is broken. 3: neither, but
 * something could not be measured or decided. Otherwise 0. With a gate on the pass rate, single tests without their
 * own gate do not decide: they count in the rate, and unmeasured ones in the coverage it needs.
 */
export function exitCodeOf({ summary, hasErrors, passWithNoTests }: Outcome): number {
  const {
    gates,
    tests,
    skipped,
    failed,
    error,
    errors,
    not_started,
    not_graded = 0,
    stopped_targets,
    interrupted,
  } = summary;
  if (interrupted) return 130;
  const nothingRan = tests === skipped && not_started === 0;
  if (hasErrors || (nothingRan && !passWithNoTests)) return 2;
  const testsDecide = !gates.some(({ gate }) => gate === 'min_pass_rate');
  if (gates.some(({ outcome }) => outcome === 'broken') || (testsDecide && failed > 0)) return 1;
  const isUndecided = gates.some(({ outcome }) => outcome === 'undecided');
  // A call that was not recorded and a fault that did not happen are mistakes of the suite: no rate makes up for them.
  const isStale = (errors.cassette ?? 0) + (errors.fault ?? 0) > 0;
  return isUndecided ||
    isStale ||
    stopped_targets !== undefined ||
    not_graded > 0 ||
    (testsDecide && error + not_started > 0)
    ? 3
    : 0;
}
