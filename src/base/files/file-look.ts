import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { hashFile } from './hash-file.ts';
import type { LookKind } from '../model/seen-inputs.ts';

/** Nothing is at this path. */
const ABSENT = 'absent';

/** What tools keep and install: it changes without an edit. */
export const NOT_OWN = new Set(['node_modules', '__pycache__', '.git', '.assay', '.venv', 'venv']);

/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;

const MOST_IN_TREE = 20_000;
const DEVICE = 'device';
const TOO_MANY = 'too many';

/** Looks that say nothing about what a program reads there. */
export const UNCLEAR: Readonly<Record<string, string>> = {
  [DEVICE]: 'it reads a pipe or a socket',
  [TOO_MANY]: `it lists a folder with more than ${MOST_IN_TREE} files`,
};

/** What a path looks like: cheap, so that it can be noted when a program looks. Of a content, only the size, the times and the mode. */
export function lookAt(kind: LookKind, path: string): string {
  if (kind === 'link') return `${textOfLink(path)} ${placeBehind(path)}`;
  try {
    if (kind === 'names') return hashOfNames(readdirSync(path, { withFileTypes: true }));
    if (kind === 'tree') {
      const entries = entriesBelow(path);
      return entries.length > MOST_IN_TREE ? TOO_MANY : hashOfNames(entries);
    }
    const stats = statSync(path, { bigint: true });
    if (stats.isDirectory()) return kind === 'content' ? 'folder' : `folder ${stats.mode}`;
    if (kind === 'entry') return `file ${stats.mode}`;
    if (kind === 'stat') return `file ${stats.size} ${stats.mtimeNs} ${stats.mode}`;
    return stats.isFile() ? `${stats.size} ${stats.mtimeNs} ${stats.ino} ${stats.mode}` : DEVICE;
  } catch {
    return ABSENT;
  }
}

function textOfLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

function placeBehind(path: string): string {
  try {
    return relative(dirname(path), realpathSync(path));
  } catch {
    return ABSENT;
  }
}

/** What counts of a path: the content of a file as a hash, anything else as it looks. */
export function stateOf(kind: LookKind, path: string): string {
  const look = lookAt(kind, path);
  if (kind !== 'content' || !/^\d/.test(look)) return look;
  const size = Number.parseInt(look, 10);
  // Whoever has the hash of a key can find out whether a guess is right.
  if (size > LARGEST_HASHED || /(?:^|[/\\])\.env(?:rc|\.[^/\\]+)?$/i.test(path)) return look;
  try {
    return hashFile(path).slice(0, 32);
  } catch {
    return 'unreadable';
  }
}

/** Python's bridge does the same. */
function hashOfNames(entries: readonly Pick<Dirent, 'name' | 'isDirectory' | 'isSymbolicLink'>[]): string {
  const own = entries
    .filter(({ name }) => !NOT_OWN.has(name))
    .map((entry) => entry.name + (entry.isSymbolicLink() ? '@' : entry.isDirectory() ? '/' : ''));
  return createHash('sha256').update(own.toSorted().join('\n')).digest('hex').slice(0, 32);
}

function entriesBelow(folder: string): readonly Dirent[] {
  const found: Dirent[] = [];
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
    for (const entry of readdirSync(join(folder, place), { withFileTypes: true })) {
      if (NOT_OWN.has(entry.name) || found.length > MOST_IN_TREE) continue;
      const path = join(place, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      entry.name = path;
      found.push(entry);
    }
  return found;
}
