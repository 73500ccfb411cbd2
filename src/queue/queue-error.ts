/** The queue cannot be used; the message says why, and the hint what to do. */
export class QueueError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'QueueError';
    this.hint = hint;
  }
}
