import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder of the built page: beside the program, or above the folder of its chunks, or in the build folder of
 * the sources.
 */
export function findWebFolder(): string {
  const folders = ['./web/', '../web/', '../../dist/web/'].map((way) =>
    fileURLToPath(new URL(way, import.meta.url)),
  );
  return folders.find((folder) => existsSync(`${folder}index.html`)) ?? folders[0]!;
}
