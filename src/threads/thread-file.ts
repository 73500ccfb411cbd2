import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The built file of a thread: beside the program, or above the folder of its chunks, or in the build folder of the sources. */
export function threadFile(name: string): string {
  const files = ['.', '..', '../../dist'].map((way) =>
    fileURLToPath(new URL(`${way}/${name}.cjs`, import.meta.url)),
  );
  return files.find((file) => existsSync(file)) ?? files[0]!;
}
