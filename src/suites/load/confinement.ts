import { createHash } from 'node:crypto';

/** Set by `assay mcp` for the commands that it runs for a client. */
export const CONFINEMENT_VARIABLE = 'ASSAY_CONFINEMENT';

/** What a command may use that runs for somebody who can write files in the project but may not run programs. */
export interface Confinement {
  /** The project: nothing outside of it is read, no matter who names it. */
  readonly root: string;
  /**
   * The files that decide what runs, as they were when the user started the server: the hash of each by its absolute
   * path, or null if it did not exist. Absent if the command runs nothing.
   */
  readonly fixed?: Readonly<Record<string, string | null>>;
}

let current: Confinement | undefined;

/** For the rest of this process. */
export function confine(to: Confinement): void {
  current = to;
}

export function confinement(): Confinement | undefined {
  return current;
}

/** The hash by which a file is known again. */
export function printText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether a file that decides what runs is no longer what it was when the server started. */
export function isChanged(path: string, text: string | null): boolean {
  const fixed = current?.fixed;
  return fixed !== undefined && fixed[path] !== (text === null ? null : printText(text));
}

export const RESTART_SERVER = 'ask the user to look at it, and to restart the server (`assay mcp`)';
