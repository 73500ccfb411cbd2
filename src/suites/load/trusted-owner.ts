import { statSync } from 'node:fs';

/**
 * Whether a file may decide what Assay does: it belongs to the current user, to root, or to the owner of the
 * current folder, as a checkout in a container often does. A missing file has no owner.
 */
export function hasTrustedOwner(path: string, currentFolder: string = process.cwd()): boolean {
  const owner = ownerOf(path);
  if (owner === undefined) return false;
  // Windows has no user ids.
  if (process.getuid === undefined) return true;
  return owner === 0 || owner === process.getuid() || owner === ownerOf(currentFolder);
}

function ownerOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.uid;
}
