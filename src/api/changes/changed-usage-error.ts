/** An option that does not go together with `--changed`. */
export class ChangedUsageError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ChangedUsageError';
    this.hint = hint;
  }
}
