import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The built CLI; ASSAY_CLI names another one, such as that of a packed install. */
export const CLI = process.env['ASSAY_CLI'] ?? fileURLToPath(new URL('../dist/cli.cjs', import.meta.url));

export interface CliResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
}

export interface RunCliOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Another Node than this one. */
  readonly node?: string | undefined;
  /** Told the child as soon as it runs, to send it signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** A new project folder with these files. `remove` deletes it. */
export function createProject(files: Readonly<Record<string, string | Uint8Array>>): {
  readonly path: string;
  remove(): void;
} {
  const path = mkdtempSync(join(tmpdir(), 'assay-project-'));
  for (const [name, content] of Object.entries({ 'package.json': '{}', ...files })) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs the built CLI as a user would, without colours and outside of CI. */
export function runCli(
  args: readonly string[],
  { cwd, env = {}, node = process.execPath, onStart }: RunCliOptions,
): Promise<CliResult> {
  const inherited = {
    ...process.env,
    // Also on a machine that is CI by another variable.
    CI: 'false',
    GITHUB_ACTIONS: undefined,
    FORCE_COLOR: undefined,
    NO_COLOR: '1',
  };
  const child = spawn(node, [CLI, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onStart?.(child);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ stdout, stderr, exitCode }));
  });
}
