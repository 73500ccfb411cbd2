import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built page lies: beside the program, or above the folder of its chunks, or where the sources are built to. */
export function findWebFolder(): string {
  const folders = ['./web/', '../web/', '../../dist/web/'].map((way) =>
    fileURLToPath(new URL(way, import.meta.url)),
  );
  return folders.find((folder) => existsSync(`${folder}index.html`)) ?? folders[0]!;
}
