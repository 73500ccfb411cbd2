import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export interface ProgramPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The path of an executable program; undefined if there is none. A name without a slash is looked up on the PATH. */
export function findProgram(program: string, { cwd, env }: ProgramPlace): string | undefined {
  const folders = program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => resolve(cwd, join(folder, program))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
