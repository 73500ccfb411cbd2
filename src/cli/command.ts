import type { OptionTable, OptionValues } from './option.ts';
import type { GivenOption } from './parse-arguments.ts';
import type { ProjectRedactor } from './project-redactor.ts';

/** The parsed options of a command, and its output streams. */
export interface CommandContext<Table extends OptionTable = Record<never, never>> {
  readonly positionals: readonly string[];
  readonly options: OptionValues<Table>;
  /** The same as words, in their order; absent where no command line was parsed. */
  readonly given?: readonly GivenOption[];
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** For stdout; stderr is redacted already. */
  readonly redactor: ProjectRedactor;
  /** What was written after the name of the command. */
  readonly argv: readonly string[];
  /** The file that was started. */
  readonly script: string;
  /** How to start Assay again: `assay`, `npx assay`. */
  readonly program: string;
  /** Called before something is written to stderr, if that is a terminal. */
  onOtherOutput(listener: () => void): void;
}

export interface Output {
  readonly isTTY: boolean;
  readonly columns: number;
  /** Resolves when more can be written: a slow reader slows the writer down. */
  write(text: string): Promise<void>;
  /** The same without making control characters harmless: for the messages of a protocol, on stdout. */
  writeExactly?(text: string): Promise<void>;
}

export const EXIT = { ok: 0, failed: 1, invalid: 2, unmeasured: 3, interrupted: 130 } as const;

export type Command<Table extends OptionTable = Record<never, never>> = (
  context: CommandContext<Table>,
) => Promise<number>;
