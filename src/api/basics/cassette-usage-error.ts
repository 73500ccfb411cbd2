/** Options about cassettes that cannot be used as they are. */
export class CassetteUsageError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'CassetteUsageError';
    this.hint = hint;
  }
}
