import type { ErrorKind } from '../../base/model/record.ts';

/** Why there is no verdict: a mistake of the author (`assertion`), or of the judge (`judge`). */
export class JudgingProblem extends Error {
  readonly kind: ErrorKind;

  constructor(message: string, kind: ErrorKind = 'assertion') {
    super(message);
    this.kind = kind;
  }
}
