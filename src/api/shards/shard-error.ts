/** A plan cannot be split as it was asked; the message says why, and the hint what to do. */
export class ShardError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ShardError';
    this.hint = hint;
  }
}
