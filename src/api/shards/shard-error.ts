/** A plan cannot be split as requested. The message says why, and the hint says what to do. */
export class ShardError extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ShardError';
    this.hint = hint;
  }
}
