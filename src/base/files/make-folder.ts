import { lstatSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from './is-inside.ts';

interface Place {
  /** The project. Default: the folder that contains `.assay`, for a path below it. */
  readonly root?: string;
  readonly mode?: number;
}

/** Creates a folder and those above it. Throws if a part of the path below the project is a link out of it. */
export function makeFolder(folder: string, { root, mode }: Place = {}): void {
  refuseLinks(folder, root);
  create(folder, mode);
}

/** Node's own `recursive` never returns where the file system refuses a new folder with "no such file", as /proc does. */
function create(folder: string, mode: number | undefined): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) create(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process may have created it in between.
    if (!isFolder(folder)) throw new Error(`${folder} is a file, not a folder`, { cause: error });
  }
}

/** False for what cannot be looked at too: creating it reports why. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * Whoever can put a link into a project must not decide where else files are written. A path outside of the project was
 * named by a person, on purpose.
 */
export function refuseLinks(folder: string, root: string = rootOf(folder)): void {
  if (!isInside(folder, root)) return;
  let current = resolve(root);
  for (const part of relative(root, resolve(folder)).split(sep)) {
    current = join(current, part);
    const stats = lstatSync(current, { throwIfNoEntry: false });
    // Below a file there is nothing; creating the folder says so.
    if (stats === undefined || stats.isFile()) return;
    if (!stats.isSymbolicLink() || isInside(goalOf(current), realpathSync(root))) continue;
    throw Object.assign(
      new Error(`${current} is a link out of the project, and Assay does not write through it: use a folder`),
      { code: 'ELOOP' },
    );
  }
}

/** A folder that is itself a link may be shown, but nothing is written into it, wherever it leads. */
export function refuseLinkedFolder(folder: string): void {
  refuseLinks(folder);
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw Object.assign(
    new Error(`${folder} is a link, and Assay does not write through links: use the folder itself`),
    { code: 'ELOOP' },
  );
}

function rootOf(folder: string): string {
  const [root = ''] = resolve(folder).split(`${sep}.assay${sep}`, 1);
  return root.endsWith(`${sep}.assay`) ? dirname(root) : root;
}

/** Where a link leads, even if nothing is there yet. */
function goalOf(link: string): string {
  try {
    return realpathSync(link);
  } catch {
    return resolve(dirname(link), readlinkSync(link));
  }
}
