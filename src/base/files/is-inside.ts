import { relative, resolve, sep } from 'node:path';

/** Whether a path is a folder or is inside it. Links are not followed. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, resolve(path));
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path);
}
