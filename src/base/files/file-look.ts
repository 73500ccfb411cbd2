import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from './hash-file.ts';
import type { LookKind } from '../model/seen-inputs.ts';

/** Nothing is at this path. */
const ABSENT = 'absent';

/** What tools keep and install: it changes without an edit. */
export const NOT_OWN = new Set(['node_modules', '__pycache__', '.git', '.assay', '.venv', 'venv']);

const MOST_IN_TREE = 20_000;
/** Larger files are told apart by size and time. */
const LARGEST_HASHED = 16 * 1024 * 1024;

/** What a path looks like: cheap, so that it can be noted when a program looks. Of a content, only the size and the times. */
export function lookAt(kind: LookKind, path: string): string {
  try {
    if (kind === 'link') return realpathSync(path);
    if (kind === 'names') return hashOfNames(readdirSync(path));
    if (kind === 'tree') return hashOfNames(namesBelow(path));
    const stats = statSync(path, { bigint: true });
    if (stats.isDirectory()) return 'folder';
    if (kind === 'entry') return 'file';
    if (kind === 'stat') return `file ${stats.size} ${stats.mtimeNs} ${stats.mode}`;
    return stats.isFile() ? `${stats.size} ${stats.mtimeNs} ${stats.ino}` : 'device';
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
function hashOfNames(names: readonly string[]): string {
  const own = names.filter((name) => !NOT_OWN.has(name)).toSorted();
  return createHash('sha256').update(own.join('\n')).digest('hex').slice(0, 32);
}

function namesBelow(folder: string): readonly string[] {
  const found: string[] = [];
  const waiting = [''];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop())
    for (const entry of readdirSync(join(folder, place), {
      withFileTypes: true,
    })) {
      if (NOT_OWN.has(entry.name) || found.length > MOST_IN_TREE) continue;
      const path = join(place, entry.name);
      found.push(path);
      if (entry.isDirectory()) waiting.push(path);
    }
  return found;
}
