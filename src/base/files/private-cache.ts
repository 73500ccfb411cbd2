import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { writeWhole } from './write-whole.ts';

/**
 * A folder of the user for code that is executed again: not in the project, whose files others may have written, and
 * whose `.env` may not set XDG_CACHE_HOME. Undefined
 * without a home folder, or if others could write there.
 */
export function cacheFolder(name: string): string | undefined {
  try {
    const folder = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'assay', name);
    return isAbsolute(folder) && [dirname(folder), folder].every(isOurs) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Also a folder that does not exist yet. */
function isOurs(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return true;
  return stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0;
}

const DIGEST_BYTES = 32;

/** What was kept, if it is complete. */
export function readCached(path: string): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(DIGEST_BYTES);
    return digest(data).equals(bytes.subarray(0, DIGEST_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** If anything goes wrong, the next start simply takes as long as this one did. */
export function keepCached(path: string, data: Buffer): void {
  try {
    makeFolder(dirname(path));
    writeWhole(path, Buffer.concat([digest(data), data]), { mode: 0o600 });
  } catch {
    // Another user's folder, a full disk.
  }
}

/** Not with `recursive`, which in some places (/proc) never ends. */
function makeFolder(path: string): void {
  for (const folder of [dirname(dirname(path)), dirname(path), path])
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

function digest(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** Keeps the newer half of too many files. */
export function removeOldest(folder: string, most: number): void {
  try {
    const files = readdirSync(folder).map((name) => join(folder, name));
    if (files.length <= most) return;
    const ages = files.map((path) => ({ path, at: statSync(path).mtimeMs })).toSorted((a, b) => b.at - a.at);
    for (const { path } of ages.slice(most / 2)) rmSync(path, { force: true });
  } catch {
    // Somebody else is at it.
  }
}
