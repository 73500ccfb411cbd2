import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The built CLI; ASSAY_CLI names another one, such as that of a packed install. */
export const CLI = process.env['ASSAY_CLI'] ?? join(ROOT, 'dist', 'cli.cjs');

/** As a user's shell has it: without colours, and outside of CI. */
export const USER_ENV = {
  ...process.env,
  CI: 'false',
  GITHUB_ACTIONS: undefined,
  FORCE_COLOR: undefined,
  NO_COLOR: '1',
};

export interface Project {
  readonly path: string;
  remove(): void;
}

/** A new project folder with these files. */
export function createProject(files: Readonly<Record<string, string>>): Project {
  const path = mkdtempSync(join(tmpdir(), 'assay-docs-'));
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export function runAssay(args: readonly string[], cwd: string): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: USER_ENV,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (read[name] += text));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ ...read, exitCode }));
  });
}
