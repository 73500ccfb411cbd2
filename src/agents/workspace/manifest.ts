import { lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from '../../base/files/hash-file.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { runSoon } from '../../base/system/system-time.ts';

/** A file or link of a tree: its content, and whether it may be executed. */
export interface TreeFile {
  readonly kind: 'file' | 'link';
  readonly hash: string;
  readonly isExecutable: boolean;
}

export interface Manifest {
  /** By path from the root, with `/`. */
  readonly files: ReadonlyMap<string, TreeFile>;
  /** Sockets, pipes and devices, and what could not be read. */
  readonly others: readonly string[];
  /** Why not all of it is known. */
  readonly unread?: string | undefined;
}

const MOST_FILES = 200_000;
const MOST_BYTES = 512 * 1024 ** 2;

/** What is in a tree. Links are not followed, and `.git` of the root is left out. Nothing in it can make this throw. */
export async function readManifest(root: string): Promise<Manifest> {
  const files = new Map<string, TreeFile>();
  const others: string[] = [];
  const folders = [''];
  let unread: string | undefined;
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries;
    try {
      entries = readdirSync(join(root, folder), { withFileTypes: true });
    } catch (error) {
      others.push(folder);
      unread ??= whyUnread(folder, error);
      continue;
    }
    for (const { name } of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (path === '.git') continue;
      if (++seen > MOST_FILES)
        return { files, others, unread: `there are more than ${MOST_FILES} files in the workspace` };
      if (seen % 200 === 0) await new Promise<void>((turn) => runSoon(turn));
      try {
        const stats = lstatSync(join(root, path));
        if (stats.isDirectory()) folders.push(path);
        else if (stats.isSymbolicLink())
          files.set(path, {
            kind: 'link',
            hash: hashHex(readlinkSync(join(root, path))),
            isExecutable: false,
          });
        else if (stats.isFile())
          files.set(path, {
            kind: 'file',
            // A file that is larger than any source is known by its size and time.
            hash: stats.size > MOST_BYTES ? `${stats.size} ${stats.mtimeMs}` : hashFile(join(root, path)),
            isExecutable: (stats.mode & 0o111) !== 0,
          });
        else others.push(path);
      } catch (error) {
        others.push(path);
        unread ??= whyUnread(path, error);
      }
    }
  }
  return { files, others, unread };
}

function whyUnread(path: string, error: unknown): string {
  const shown = path.length <= 100 ? path : `${path.slice(0, 100)}…`;
  return `${shown} cannot be read (${(error as NodeJS.ErrnoException).code})`;
}

export interface TreeChange {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/** In the order of their paths. */
export function changesBetween(before: Manifest, after: Manifest): readonly TreeChange[] {
  const changes: TreeChange[] = [];
  for (const [path, file] of before.files) {
    const now = after.files.get(path);
    if (now === undefined) changes.push({ path, change: 'deleted' });
    else if (!isSame(file, now)) changes.push({ path, change: 'modified' });
  }
  for (const path of after.files.keys()) if (!before.files.has(path)) changes.push({ path, change: 'added' });
  for (const path of after.others)
    changes.push({ path, change: before.files.has(path) ? 'modified' : 'added' });
  const unique = new Map(changes.map((each) => [each.path, each]));
  return [...unique.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

export function isSame(one: TreeFile, other: TreeFile): boolean {
  return one.kind === other.kind && one.hash === other.hash && one.isExecutable === other.isExecutable;
}
