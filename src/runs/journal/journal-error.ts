/** A part of a run could not be written; everything written before is intact. */
export class JournalError extends Error {
  constructor(path: string, cause: unknown) {
    super(`${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'JournalError';
  }
}
