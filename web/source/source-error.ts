/** What could not be loaded, and what to do about it. */
export class SourceError extends Error {
  readonly hint: string;
  /** What was asked for does not exist, or no longer. */
  readonly isGone: boolean;

  constructor(
    message: string,
    {
      hint,
      isGone = false,
      cause,
    }: { readonly hint: string; readonly isGone?: boolean; readonly cause?: unknown },
  ) {
    super(message, { cause });
    this.hint = hint;
    this.isGone = isGone;
  }
}
