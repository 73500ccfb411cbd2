import type { ProjectRedactor } from './project-redactor.ts';

/** What the command line gives a command, and where its words go. */
export interface CommandContext {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly string[] | undefined>>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For what is printed to stdout; stderr is redacted already. */
  readonly redactor: ProjectRedactor;
}

export interface Output {
  readonly isTTY: boolean;
  readonly columns: number;
  /** Resolves when more can be written: a slow reader slows the writer down. */
  write(text: string): Promise<void>;
}

export const EXIT = { ok: 0, failed: 1, invalid: 2, unmeasured: 3, interrupted: 130 } as const;

export type Command = (context: CommandContext) => Promise<number>;
