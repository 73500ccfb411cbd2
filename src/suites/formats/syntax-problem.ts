/** Why a text could not be read at all, and where. */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly offset: number;
}

/** Carries a SyntaxProblem out of a parser; it never leaves this room. */
export class SyntaxStop extends Error {
  readonly problem: SyntaxProblem;

  constructor(problem: SyntaxProblem) {
    super(problem.message);
    this.problem = problem;
  }
}
