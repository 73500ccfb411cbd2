import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

/** One for all files: a run of a thousand small files would otherwise allocate a gigabyte. */
const chunk = Buffer.allocUnsafeSlow(256 * 1024);

/** SHA-256 of a file of any size. */
export function hashFile(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      hash.update(chunk.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}
