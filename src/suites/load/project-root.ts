import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { confinement } from './confinement.ts';
import { hasTrustedOwner } from './trusted-owner.ts';
import { isInside } from '../../base/files/is-inside.ts';

/**
 * The root folder of a project: the nearest one above with `.git` or `assay.config.*`, else with `package.json` or
 * `.agentv`, else the folder itself. Files that another user put into a shared folder above do not count.
 */
export function findProjectRoot(folder: string): string {
  const confined = confinement();
  if (confined !== undefined) return confined.root;
  const start = resolve(folder);
  const root = known?.get(start) ?? nearest(start, isMarkedRoot) ?? nearest(start, isPackageRoot) ?? start;
  known?.set(start, root);
  return root;
}

let known: Map<string, string> | undefined;

/** Until the returned function is called: looking for a root reads every folder above, and a run asks thirty times. */
export function rememberRoots(): () => void {
  known = new Map();
  return () => (known = undefined);
}

/** The root for a suite: that of the current project, or the suite's own if it is outside of that. */
export function rootForSuite(file: string, projectRoot: string): string {
  return isInside(file, projectRoot) ? projectRoot : findProjectRoot(dirname(resolve(file)));
}

/** The same for many files: looking for a root reads folders, so each folder is read once. */
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

/** Whether a path in a project leads out of it through a link. False for a path that does not exist. */
export function leavesProject(path: string, root: string): boolean {
  try {
    return !isInside(realpathSync(path), realpathSync(root));
  } catch {
    return false;
  }
}

/**
 * The same for a file whose folder is known to be inside: most files are not links, and need no search for their
 * root.
 */
export function isLinkOutside(file: string): boolean {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  return leavesProject(file, rootForSuite(file, findProjectRoot(process.cwd())));
}

/** Whether a path in the current project is a link out of it. A path elsewhere was named by a person, on purpose. */
export function isLinkOutOfProject(path: string): boolean {
  const root = findProjectRoot(process.cwd());
  return isInside(path, root) && leavesProject(path, root);
}

function nearest(folder: string, test: (folder: string) => boolean): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (test(current)) return current;
    if (current === dirname(current)) return undefined;
  }
}

function isMarkedRoot(folder: string): boolean {
  return hasTrustedOwner(resolve(folder, '.git')) || hasConfig(folder);
}

function isPackageRoot(folder: string): boolean {
  return hasTrustedOwner(resolve(folder, 'package.json')) || hasTrustedOwner(resolve(folder, '.agentv'));
}

function hasConfig(folder: string): boolean {
  try {
    return readdirSync(folder).some(
      (name) => /^assay\.config\.[a-z]+$/.test(name) && hasTrustedOwner(resolve(folder, name)),
    );
  } catch {
    return false;
  }
}
