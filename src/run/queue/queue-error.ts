interface Details {
  readonly hint?: string;
  readonly cause?: unknown;
}

/** The queue cannot be used. The message says why, and the hint says what to do. */
export class QueueError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, { hint, cause }: Details = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.name = 'QueueError';
    this.hint = hint;
  }
}

/** The queue cannot be reached now. It may start later or come back, so it is worth waiting. */
export class QueueAway extends QueueError {
  override readonly name = 'QueueAway';
}
