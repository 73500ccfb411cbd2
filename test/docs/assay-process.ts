import { fileURLToPath } from 'node:url';
import { runCli, userEnvironment, type CliResult } from '../project.ts';

export { CLI, createProject, type Project } from '../project.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** As a user's shell has it: without colours, and outside of CI. */
export const USER_ENV = userEnvironment();

export function runAssay(args: readonly string[], cwd: string): Promise<CliResult> {
  return runCli(args, { cwd });
}
