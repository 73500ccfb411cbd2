/** What could not be loaded, and what to do about it. */
export class SourceError extends Error {
  readonly hint: string;

  constructor(message: string, { hint, cause }: { readonly hint: string; readonly cause?: unknown }) {
    super(message, { cause });
    this.hint = hint;
  }
}
