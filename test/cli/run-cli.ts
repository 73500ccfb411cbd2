import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createTempFolder } from '../formats/temp-folder.ts';

/** The built CLI; ASSAY_CLI names another one, such as that of a packed install. */
export const CLI = process.env['ASSAY_CLI'] ?? fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Writes the files to a folder of their own and runs the real CLI there. */
export function runCli(
  files: Readonly<Record<string, string | Uint8Array>>,
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return runCliIn(createTempFolder(files), args, options);
}

export function runCliIn(
  cwd: string,
  args: readonly string[],
  { env = {} }: CliOptions = {},
): Promise<CliResult> {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not there: run "npm run build" first`);
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => (read[name] += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ ...read, exitCode }));
  });
}
