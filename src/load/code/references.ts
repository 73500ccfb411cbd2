import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the text of a file names. */
export interface References {
  readonly files: Iterable<string>;
  /** Paths that are named but do not exist here: on another machine they may. */
  readonly absent: Iterable<string>;
  /** Further folders to search for Python modules. */
  readonly folders?: Iterable<string>;
}

export function isFile(path: string): boolean {
  return kindOf(path) === 'file';
}

export function isFolder(path: string): boolean {
  return kindOf(path) === 'folder';
}

/** A name may also be too long, or lead through a file: then it is nothing. */
function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() === true ? 'file' : stats?.isDirectory() === true ? 'folder' : undefined;
  } catch {
    return undefined;
  }
}

/** The files in a folder, without subfolders, in an order that is the same everywhere. */
export function entriesOfFolder(folder: string): readonly string[] {
  return namesIn(folder)
    .toSorted()
    .map((name) => join(folder, name))
    .filter(isFile);
}

/** What is in a folder; nothing if it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
