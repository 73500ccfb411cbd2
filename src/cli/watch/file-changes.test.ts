import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { watchFiles, type FileChanges } from './file-changes.ts';

const parent = mkdtempSync(join(tmpdir(), 'assay-changes-'));
const folder = join(parent, 'project');
let files: FileChanges | undefined;
afterEach(async () => {
  await files?.close();
  rmSync(parent, { recursive: true });
});

test('a folder that was made again at once, or that cannot be looked at for a while, is watched again', async () => {
  const seen: string[] = [];
  const sees = (event: string): Promise<unknown> =>
    vi.waitUntil(() => seen.includes(event), { timeout: 5000 });
  mkdirSync(folder);
  // The clock of file systems is coarse, and projects are older than one tick of it.
  await sleep(20);
  writeFileSync(join(folder, 'before.md'), '');
  files = await watchFiles(folder, {
    onChange: (paths) => seen.push(...paths),
    onGone: () => seen.push('gone'),
    onBack: () => seen.push('back'),
    onProblem: (message) => seen.push(message),
  });
  // A file system may give the new folder the number of the old one, as ext4 does.
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await sees('back');
  writeFileSync(join(folder, 'again.md'), 'a');
  await sees('again.md');

  rmSync(folder, { recursive: true });
  symlinkSync(folder, folder);
  expect(() => statSync(folder, { throwIfNoEntry: false })).toThrow('ELOOP');
  await sees('gone');
  seen.length = 0;
  rmSync(folder);
  mkdirSync(folder);
  await sees('back');
  writeFileSync(join(folder, 'last.md'), 'a');
  await sees('last.md');
});
