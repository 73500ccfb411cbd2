/** A named run that does not exist, or does not fit. */
export class RunNotFound extends Error {
  readonly hint: string | undefined;

  constructor(name: string, purpose = 'resume', hint?: string) {
    super(`there is no run "${name}" to ${purpose}`);
    this.hint = hint;
  }
}
