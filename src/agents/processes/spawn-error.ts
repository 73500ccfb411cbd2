import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Why a program did not start, and what to do about it. */
export class SpawnError extends Error {
  constructor(program: string, cwd: string, cause: NodeJS.ErrnoException) {
    super(explain(program, cwd, cause), { cause });
    this.name = 'SpawnError';
  }
}

function explain(program: string, cwd: string, { code, message }: NodeJS.ErrnoException): string {
  const name = JSON.stringify(program);
  if (code === 'ENOENT') {
    if (!existsSync(cwd)) return `${name} cannot be started: the folder ${cwd} does not exist`;
    if (!program.includes('/')) return `${name} was not found: is it installed, and on the PATH?`;
    if (!existsSync(resolve(cwd, program))) return `${name} does not exist (looked for in ${cwd})`;
    return `${name} cannot be started: the interpreter named in its first line was not found`;
  }
  if (code === 'EACCES')
    return `${name} cannot be executed: is it a program, and is it executable (chmod +x)?`;
  if (code === 'E2BIG') return `${name} cannot be started: its arguments are too long`;
  return `${name} cannot be started: ${message}`;
}
