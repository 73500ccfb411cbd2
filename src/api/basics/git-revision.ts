import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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

/** In a worktree `.git` is a file that names the folder. */
function gitFolder(projectRoot: string): string {
  const path = join(projectRoot, '.git');
  const pointer = existsSync(join(path, 'HEAD'))
    ? undefined
    : /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1];
  return pointer === undefined ? path : resolve(projectRoot, pointer.trim());
}

function readReference(folder: string, reference: string): string | undefined {
  const common = existsSync(join(folder, 'commondir'))
    ? resolve(folder, readFileSync(join(folder, 'commondir'), 'utf8').trim())
    : folder;
  for (const path of [join(folder, reference), join(common, reference)]) {
    if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  }
  const packed = readFileSync(join(common, 'packed-refs'), 'utf8').split('\n');
  return packed.find((line) => line.endsWith(` ${reference}`))?.split(' ')[0];
}
