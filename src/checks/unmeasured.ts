import type { AssertionOutcome } from '../base/model/evidence.ts';

/** The result of an assertion that could not be evaluated: neither a pass nor a 0. */
export function unmeasured(message: string): AssertionOutcome {
  return { error: { kind: 'assertion', message } };
}

/** The same, if the judge is to blame: a script or a model. */
export function judgeFailed(message: string): AssertionOutcome {
  return { error: { kind: 'judge', message } };
}
