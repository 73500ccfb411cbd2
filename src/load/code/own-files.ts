import { readdirSync, realpathSync, type Dirent } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isInside } from '../../files/is-inside.ts';
import { isPrivate } from '../file-parts.ts';
import { isFile, isFolder } from './references.ts';

/** Installed packages, and what tools keep. */
const NOT_OWN =
  /^(?:node_modules|__pycache__|site-packages|\.?venv|\.git|\.assay|\.(?:\w+_)?cache|\.nyc_output)$/;

/** What programs write and nobody edits: logs, databases, locks. */
export const OUTPUT =
  /\.(?:log|pid|lock|tmp|swp|pyc|tsbuildinfo|db3?|sqlite3?)$|\.log\.|-(?:wal|shm|journal)$|~$/i;

/** Whether a path belongs to one of these folders: not to an installed package, and not to `.env`. Links are not followed. */
export function isOwnPath(path: string, homes: readonly string[]): boolean {
  const home = homes.find((folder) => isInside(path, folder));
  if (home === undefined) return false;
  const way = relative(home, path);
  return !isPrivate(way) && !way.split(sep).some((name) => NOT_OWN.test(name));
}

interface Listing {
  /** Undefined is returned if there are more. */
  readonly most: number;
  /** Links to places outside of them are left out. Undefined: every link is followed. */
  readonly homes?: readonly string[] | undefined;
  isWanted(name: string): boolean;
  /** Also files and folders whose name starts with a dot, without `.env` and `.git`. */
  readonly hasHidden?: boolean;
}

/** The files below a folder. Undefined if there are too many. */
export function listOwnFiles(
  folder: string,
  { most, homes, isWanted, hasHidden = false }: Listing,
): readonly string[] | undefined {
  const found: string[] = [];
  const waiting = [folder];
  const seen = new Set<string>();
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop())
    for (const entry of entriesOf(current)) {
      if (NOT_OWN.test(entry.name) || isPrivate(entry.name)) continue;
      if (entry.name.startsWith('.') && !hasHidden) continue;
      const path = join(current, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (homes === undefined && isFolder(path)) {
        // A link may lead to a folder around it.
        const real = realpathSync(path);
        if (!seen.has(real) && !isInside(folder, real)) waiting.push(path);
        seen.add(real);
      } else if (isWanted(entry.name) && (entry.isFile() || isOwnLink(path, homes))) found.push(path);
      if (found.length > most) return undefined;
    }
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Nothing of it can be read, by the agent either.
    return [];
  }
}

function isOwnLink(path: string, homes: readonly string[] | undefined): boolean {
  return isFile(path) && (homes === undefined || isOwnPath(realpathSync(path), homes));
}
