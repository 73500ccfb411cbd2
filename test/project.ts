import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runWarm } from './run-warm.ts';

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
}

export interface StartCliOptions extends RunCliOptions {
  /** Another Node than this one. */
  readonly node?: string | undefined;
  /** Told the child as soon as it runs, to send it signals. */
  readonly onStart?: (child: ChildProcess) => void;
}

export interface Project {
  readonly path: string;
  remove(): void;
}

/** A new project folder with these files. `remove` deletes it. */
export function createProject(files: Readonly<Record<string, string | Uint8Array>>): Project {
  const path = mkdtempSync(join(tmpdir(), 'assay-project-'));
  for (const [name, content] of Object.entries({ 'package.json': '{}', ...files })) {
    const file = join(path, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/**
 * Runs the built CLI as a user would, without colours and outside of CI, in a process that has run others before: see
 * test/warm-cli.cjs. For what is about the process itself (signals, kills, how it ends, its memory, its Node and the variables
 * that Node reads), use `startCli`. Agents run in this process too, since a host costs more than most tests. Those of
 * hosts say `ASSAY_ISOLATE: 'true'`, and `--changed` sees what agents read only in hosts. TEST_ISOLATE=true runs all with hosts.
 */
export function runCli(args: readonly string[], { cwd, env = {} }: RunCliOptions): Promise<CliResult> {
  const isNew = (name: string) => env[name] !== undefined && env[name] !== process.env[name];
  const early = Object.keys(env).find((name) => READ_AT_START.test(name) && isNew(name));
  if (early !== undefined) throw new Error(`${early} is read when the process starts: use startCli`);
  const isIsolated = process.env['TEST_ISOLATE'] === 'true' || args.includes('--changed');
  return runWarm(CLI, { args, cwd, env: userEnvironment({ ASSAY_ISOLATE: `${isIsolated}`, ...env }) });
}

const READ_AT_START = /^(?:NODE_|LD_|UV_|XDG_CACHE_HOME$|ASSAY_(?:PARENT|CONFINEMENT|WATCH)$)/;

/** The same in a process of its own. */
export function startCli(
  args: readonly string[],
  { cwd, env, node = process.execPath, onStart }: StartCliOptions,
): Promise<CliResult> {
  const child = spawn(node, [CLI, ...args], {
    cwd,
    env: userEnvironment(env),
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

/** As a shell outside of CI has it. */
export function userEnvironment(env?: RunCliOptions['env']): NodeJS.ProcessEnv {
  return {
    ...process.env,
    // Also on a machine that is CI by another variable.
    CI: 'false',
    GITHUB_ACTIONS: undefined,
    FORCE_COLOR: undefined,
    NO_COLOR: '1',
    ...env,
  };
}
