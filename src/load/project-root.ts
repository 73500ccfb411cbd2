import { existsSync, readdirSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';

/**
 * The folder a project begins at: the nearest one above with `.git` or `assay.config.*`, else with `package.json` or
 * `.agentv`, else the folder itself.
 */
export function findProjectRoot(folder: string): string {
  return nearest(folder, isMarkedRoot) ?? nearest(folder, isPackageRoot) ?? resolve(folder);
}

/** The root for a suite: the current project's, or the suite's own when it lies outside of that. */
export function rootForSuite(file: string, projectRoot: string): string {
  return isInside(file, projectRoot) ? projectRoot : findProjectRoot(dirname(resolve(file)));
}

/** The same for many files: looking for a root reads folders, so each folder is asked once. */
export function createRootFinder(currentFolder: string): (file: string) => string {
  const projectRoot = findProjectRoot(currentFolder);
  const roots = new Map<string, string>();
  return (file) => {
    const folder = dirname(resolve(file));
    let root = roots.get(folder);
    if (root === undefined) roots.set(folder, (root = rootForSuite(file, projectRoot)));
    return root;
  };
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}

function nearest(folder: string, test: (folder: string) => boolean): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (test(current)) return current;
    if (current === dirname(current)) return undefined;
  }
}

function isMarkedRoot(folder: string): boolean {
  return existsSync(resolve(folder, '.git')) || hasConfig(folder);
}

function isPackageRoot(folder: string): boolean {
  return existsSync(resolve(folder, 'package.json')) || existsSync(resolve(folder, '.agentv'));
}

function hasConfig(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^assay\.config\.[a-z]+$/.test(name));
  } catch {
    return false;
  }
}
