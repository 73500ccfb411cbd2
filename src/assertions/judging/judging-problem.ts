import type { ErrorKind } from '../../model/record.ts';

/** Why there is no verdict: something the author wrote (`assertion`), or something the judge said (`judge`). */
export class JudgingProblem extends Error {
  readonly kind: ErrorKind;

  constructor(message: string, kind: ErrorKind = 'assertion') {
    super(message);
    this.kind = kind;
  }
}
