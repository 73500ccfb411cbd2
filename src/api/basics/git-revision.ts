import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readCommitTitle } from './git-commit.ts';

/** The commit of a project, read from its files: starting git would cost more than a whole run of a few tests. */
export function gitRevision(projectRoot: string): string | undefined {
  try {
    const folder = gitFolder(projectRoot);
    const head = readFileSync(join(folder, 'HEAD'), 'utf8').trim();
    const reference = /^ref: (.+)$/.exec(head)?.[1];
    const revision = reference === undefined ? head : readReference(folder, reference);
    // A `.git` file may point anywhere, and anything may be there.
    return /^[0-9a-f]{40,64}$/.test(revision ?? '') ? revision : undefined;
  } catch {
    return undefined;
  }
}

/** The state of a project's repository: absent outside of one. */
export interface GitState {
  readonly git_revision?: string | undefined;
  /** Absent if a commit is checked out by itself. */
  readonly git_branch?: string | undefined;
  /** The first line of the commit's message. */
  readonly git_title?: string | undefined;
}

export function readGitState(projectRoot: string): GitState {
  const git_revision = gitRevision(projectRoot);
  if (git_revision === undefined) return {};
  const folder = gitFolder(projectRoot);
  const reference = /^ref: refs\/heads\/(.+)$/.exec(readFileSync(join(folder, 'HEAD'), 'utf8').trim())?.[1];
  return {
    git_revision,
    git_branch: reference?.slice(0, 200),
    git_title: readCommitTitle(join(commonFolder(folder), 'objects'), git_revision),
  };
}

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(projectRoot: string): string {
  const path = join(projectRoot, '.git');
  const pointer = existsSync(join(path, 'HEAD'))
    ? undefined
    : /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return pointer === undefined ? path : resolve(projectRoot, pointer.trim());
}

function readReference(folder: string, reference: string): string | undefined {
  const common = commonFolder(folder);
  for (const path of [join(folder, reference), join(common, reference)]) {
    if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  }
  const packed = readFileSync(join(common, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${reference}`))?.split(' ')[0];
}

/** A worktree shares most files with others. */
function commonFolder(folder: string): string {
  const pointer = join(folder, 'commondir');
  return existsSync(pointer) ? resolve(folder, readFileSync(pointer, 'utf8').trim()) : folder;
}
