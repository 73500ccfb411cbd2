/** A search took more steps than it was allowed; whether the pattern matches is not known. */
export class BudgetError extends Error {
  override readonly name = 'BudgetError';

  constructor(stepBudget: number) {
    super(`the search was stopped after ${stepBudget} steps`);
  }
}
