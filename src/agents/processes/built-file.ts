import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A built file that runs in a thread or process of its own: beside the program, or above the folder of its chunks, or in the build folder of the sources. */
export function builtFile(name: string): string {
  const files = ['.', '..', '../../../dist'].map((way) =>
    fileURLToPath(new URL(`${way}/${name}.cjs`, import.meta.url)),
  );
  return files.find((file) => existsSync(file)) ?? files[0]!;
}
