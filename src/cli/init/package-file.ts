import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The text of a file that the package ships: its folder is above `dist` and its chunks, or above the sources. */
export function readPackageFile(name: string): string {
  const folders = ['../', '../../', '../../../'].map((way) => fileURLToPath(new URL(way, import.meta.url)));
  const folder = folders.find((path) => existsSync(join(path, name))) ?? folders[0]!;
  return readFileSync(join(folder, name), 'utf8');
}
