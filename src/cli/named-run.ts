import { findRun, type RunDirectory } from '../runs/journal/run-directory.ts';
import type { CommandContext } from './command.ts';
import { printError } from './print-error.ts';

/**
 * The run that a command names; the latest one if it names none. Undefined, after an error message, if there is
 * none.
 */
export async function namedRun(
  { positionals, stderr }: CommandContext,
  projectRoot: string,
): Promise<RunDirectory | undefined> {
  const name = positionals[0] ?? 'latest';
  const run = findRun(projectRoot, name);
  if (run === undefined)
    await printError(
      stderr,
      `there is no run "${name}"\n  hint: runs are in .assay/runs; \`latest\` is the last one`,
    );
  return run;
}
