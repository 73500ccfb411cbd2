import { execFileSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { readCommitTitle } from './git-commit.ts';
import { readGitState } from './git-revision.ts';

function git(folder: string, ...args: readonly string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b.c', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' }).trim();
}

/** Commits that differ by little: packed, most of them become differences. */
function createRepository(commits: number): string {
  const folder = createTempFolder();
  git(folder, 'init', '-q');
  const body = Array.from({ length: 60 }, (_, line) => `The same line ${line} in every message.`).join('\n');
  for (let number = 1; number <= commits; number++)
    git(folder, 'commit', '-q', '--allow-empty', '-m', `Fix – number ${number}\n\n${body}`);
  return folder;
}

test('a commit is read as git reads it: loose, packed, and as a delta', () => {
  const folder = createRepository(12);
  expect(readGitState(folder)).toEqual({
    git_revision: git(folder, 'rev-parse', 'HEAD'),
    git_branch: 'main',
    git_title: 'Fix – number 12',
  });
  git(folder, 'repack', '-a', '-d', '-q', '--depth=20', '--window=20');
  git(folder, 'prune-packed', '-q');
  const objects = join(folder, '.git', 'objects');
  expect(readdirSync(objects).filter((name) => name.length === 2)).toEqual([]);
  const kinds = git(
    folder,
    'verify-pack',
    '-v',
    join(
      objects,
      'pack',
      readdirSync(join(objects, 'pack')).find((name) => name.endsWith('.idx'))!,
    ),
  );
  expect(kinds).toContain('chain length');
  const log = git(folder, 'log', '--format=%H %s').split('\n');
  expect(log.map((line) => `${line.slice(0, 40)} ${readCommitTitle(objects, line.slice(0, 40))}`)).toEqual(
    log,
  );
  expect(readCommitTitle(objects, 'ab'.repeat(20))).toBeUndefined();
});

test('nothing that a repository configures is executed, and a detached commit has no branch', () => {
  const folder = createRepository(1);
  const proof = join(folder, 'executed');
  const config = `[log]\n showSignature = true\n[gpg]\n program = touch ${proof}\n[core]\n fsmonitor = touch ${proof}\n`;
  git(folder, 'checkout', '-q', '--detach');
  writeFileSync(join(folder, '.git', 'config'), config, { flag: 'a' });
  expect(readGitState(folder)).toMatchObject({ git_branch: undefined, git_title: 'Fix – number 1' });
  expect(readdirSync(folder)).not.toContain('executed');
});

test('there is no title outside a repository or in a damaged one', () => {
  expect(readGitState(createTempFolder())).toEqual({});
  const revision = '1'.repeat(40);
  const files = { '.git/HEAD': revision, [`.git/objects/11/${'1'.repeat(38)}`]: 'not zlib' };
  expect(readGitState(createTempFolder(files))).toMatchObject({
    git_revision: revision,
    git_title: undefined,
  });
});
