import { createTempFolder } from '../formats/temp-folder.ts';
import { runCli as runIn, type CliResult } from '../project.ts';

export type { CliResult };

interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
}

/** Writes the files to a new folder and runs the real CLI there. */
export function runCli(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return runCliIn(createTempFolder(files), args, options);
}

/** With no more of the environment than a program needs: colours are as the test says. */
export function runCliIn(
  cwd: string,
  args: readonly string[],
  { env = {} }: CliOptions = {},
): Promise<CliResult> {
  return runIn(args, { cwd, env: { NO_COLOR: undefined, ...env } });
}
