import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../../test/formats/temp-folder.ts';
import { gitRevision } from './git-revision.ts';

const ONE = '1'.repeat(40);
const TWO = 'ab'.repeat(20);

test.each<[string, Readonly<Record<string, string>>, string | undefined]>([
  ['no repository', {}, undefined],
  ['a commit that is checked out by itself', { '.git/HEAD': `${ONE}\n` }, ONE],
  ['a branch', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/refs/heads/main': `${TWO}\n` }, TWO],
  [
    'a packed branch',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/packed-refs': `# pack-refs\n${ONE} refs/heads/not-main\n${TWO} refs/heads/main\n${ONE} refs/heads/main-2\n`,
    },
    TWO,
  ],
  [
    'a branch that has moved since it was packed',
    {
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/refs/heads/main': ONE,
      '.git/packed-refs': `${TWO} refs/heads/main\n`,
    },
    ONE,
  ],
  ['a branch without a commit', { '.git/HEAD': 'ref: refs/heads/main\n', '.git/packed-refs': '' }, undefined],
  ['a longer hash', { '.git/HEAD': 'a'.repeat(64) }, 'a'.repeat(64)],
  ['something that is no hash', { '.git/HEAD': `${ONE}\nsecret` }, undefined],
  ['a hash that is too short', { '.git/HEAD': '1'.repeat(39) }, undefined],
  ['a pointer to a folder', { '.git': 'gitdir: elsewhere\n', 'elsewhere/HEAD': ONE }, ONE],
  [
    'a worktree, whose branches are in the main folder',
    {
      '.git': 'gitdir: main/.git/worktrees/one\n',
      'main/.git/worktrees/one/HEAD': 'ref: refs/heads/b\n',
      'main/.git/worktrees/one/commondir': '../..\n',
      'main/.git/refs/heads/b': TWO,
    },
    TWO,
  ],
  [
    'a worktree with a packed branch',
    {
      '.git': 'gitdir: main/.git/worktrees/one\n',
      'main/.git/worktrees/one/HEAD': 'ref: refs/heads/b\n',
      'main/.git/worktrees/one/commondir': '../..\n',
      'main/.git/packed-refs': `${ONE} refs/heads/b\n`,
    },
    ONE,
  ],
])('%s', (_, files, revision) => {
  expect(gitRevision(createTempFolder(files))).toBe(revision);
});

test('a missing folder has no revision', () => {
  expect(gitRevision(join(createTempFolder(), 'missing'))).toBeUndefined();
});
