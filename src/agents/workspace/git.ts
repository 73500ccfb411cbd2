import {
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { runProcess } from '../processes/run-process.ts';
import { SpawnError } from '../processes/spawn-error.ts';
import type { TreeChange } from './manifest.ts';

/** Nobody's settings reach git: neither those of the machine, nor those of the agent. */
function gitEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: 'assay',
    GIT_AUTHOR_EMAIL: 'assay@localhost',
    GIT_COMMITTER_NAME: 'assay',
    GIT_COMMITTER_EMAIL: 'assay@localhost',
    GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
    GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  };
}

/** The agent can make a repository above the folder, whose settings name programs. */
const ALONE: NodeJS.ProcessEnv = { GIT_DIR: '/dev/null' };

const TIME_LIMIT_MS = 120_000;

async function git(
  args: readonly string[],
  cwd: string,
  signal: AbortSignal,
  more: NodeJS.ProcessEnv = {},
): Promise<string> {
  const result = await runProcess(['git', ...args], {
    cwd,
    env: { ...gitEnvironment(), ...more },
    isExactEnv: true,
    input: '',
    signal,
    timeoutMs: TIME_LIMIT_MS,
  }).catch((error: unknown) => {
    throw error instanceof SpawnError ? new Error('`git` is not installed') : error;
  });
  if (result.ended !== 'exited')
    throw new Error(`git ${args[0]} ${result.ended === 'flooded' ? 'printed too much' : 'was stopped'}`);
  // `diff --no-index` exits with 1 if there are differences.
  if (result.code !== 0 && !(args[0] === '-c' && result.code === 1))
    throw new Error(`git ${args[0]}: ${result.stderr.trim()}`);
  return result.stdout;
}

/** A repository with one commit, no history and no remotes. */
export async function initRepository(folder: string, signal: AbortSignal): Promise<void> {
  rmSync(join(folder, '.git'), { recursive: true, force: true });
  await git(['init', '--quiet', '--template=', '--initial-branch=main'], folder, signal);
  // Files that the template ignores are part of it.
  await git(['add', '--all', '--force', '.'], folder, signal);
  await git(['commit', '--quiet', '--allow-empty', '--no-verify', '--message=start'], folder, signal);
  // One file instead of hundreds: each workspace gets a copy.
  await git(['repack', '-a', '-d', '--quiet'], folder, signal);
}

export interface GitDiff {
  readonly text: string;
  /** By path; undefined for a binary file. */
  readonly lines: ReadonlyMap<string, { readonly added: number; readonly deleted: number } | undefined>;
  /** Why it is not complete. */
  readonly cut?: string | undefined;
}

const MOST_CHANGES = 2000;
const MOST_BYTES = 32 * 1024 ** 2;
/** Longer diffs are cut at the end of a line. */
const MOST_TEXT = 256 * 1024;

/** What `git diff --no-index` prints for two trees of which only these files differ. It is made in `scratch`. */
export async function diffTrees(
  trees: { readonly before: string; readonly after: string; readonly scratch: string },
  changes: readonly TreeChange[],
  signal: AbortSignal,
): Promise<GitDiff> {
  const { before, after, scratch } = trees;
  let bytes = 0;
  let shown = 0;
  try {
    for (const side of ['a', 'b']) mkdirSync(join(scratch, side), { recursive: true });
    for (const { path, change } of changes) {
      if (shown >= MOST_CHANGES || bytes > MOST_BYTES) break;
      if (change !== 'added') bytes += stage(join(before, path), join(scratch, 'a', path));
      if (change !== 'deleted') bytes += stage(join(after, path), join(scratch, 'b', path));
      shown++;
    }
    const compare = [
      '-c',
      'core.quotePath=false',
      'diff',
      '--no-index',
      '--no-color',
      '--no-ext-diff',
      '--no-textconv',
      '--no-prefix',
    ];
    const diff = (...args: string[]): Promise<string> => git([...compare, ...args], scratch, signal, ALONE);
    const numbers = await diff('--no-renames', '--numstat', '-z', 'a', 'b');
    const text = await diff('a', 'b');
    const isLong = text.length > MOST_TEXT;
    const cut =
      shown < changes.length
        ? `${changes.length} files changed, and the diff shows the first ${shown}`
        : isLong
          ? `the diff is longer than ${MOST_TEXT / 1024} kB`
          : undefined;
    return {
      text: isLong ? text.slice(0, text.lastIndexOf('\n', MOST_TEXT) + 1) : text,
      lines: readNumbers(numbers),
      cut,
    };
  } finally {
    for (const side of ['a', 'b']) rmSync(join(scratch, side), { recursive: true, force: true });
  }
}

/** Copies a file or link, without following it. What is neither stays out. */
function stage(from: string, to: string): number {
  const stats = lstatSync(from, { throwIfNoEntry: false });
  if (stats === undefined) return 0;
  mkdirSync(dirname(to), { recursive: true });
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (stats.isFile() && stats.size > MOST_BYTES)
    writeFileSync(to, `\0${stats.size} bytes, ${stats.mtimeMs}`);
  else if (stats.isFile()) copyFileSync(from, to);
  return stats.size;
}

/** `added TAB deleted TAB NUL old NUL new NUL`, as git prints files of two folders. */
function readNumbers(printed: string): GitDiff['lines'] {
  const lines = new Map<string, { added: number; deleted: number } | undefined>();
  const parts = printed.split('\0');
  for (let index = 0; index < parts.length - 1; index++) {
    const [added = '', deleted = '', path = ''] = parts[index]!.split('\t');
    const [old, now] = path === '' ? [parts[++index]!, parts[++index]!] : [path, path];
    const name = (now === '/dev/null' ? old : now).replace(/^[ab]\//, '');
    lines.set(name, added === '-' ? undefined : { added: Number(added), deleted: Number(deleted) });
  }
  return lines;
}
