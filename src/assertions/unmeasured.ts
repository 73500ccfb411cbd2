import type { AssertionOutcome } from '../model/evidence.ts';

/** The outcome of an assertion that could not be evaluated: neither a pass nor a 0. */
export function unmeasured(message: string): AssertionOutcome {
  return { error: { kind: 'assertion', message } };
}

/** The same, when the judge is to blame: a script or a model. */
export function judgeFailed(message: string): AssertionOutcome {
  return { error: { kind: 'judge', message } };
}
