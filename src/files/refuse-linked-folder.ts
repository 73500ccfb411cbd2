import { lstatSync } from 'node:fs';

/** Whoever can put a link into a project must not decide where else files are written. */
export function refuseLinkedFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw Object.assign(
    new Error(`${folder} is a link, and Assay does not write through links: use the folder itself`),
    { code: 'ELOOP' },
  );
}
