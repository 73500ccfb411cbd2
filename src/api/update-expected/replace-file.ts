import {
  closeSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';

export type Write = (text: string | Uint8Array) => void;

/**
 * Writes a file beside the old one, which it replaces when it is whole. `check` is asked right before that and throws when
 * the old one must stay; it stays too when `fill` answers false.
 */
export async function replaceFile(
  path: string,
  check: () => void,
  fill: (write: Write) => boolean | Promise<boolean>,
): Promise<void> {
  const real = realpathSync(path);
  const temporary = `${real}.${process.pid}.tmp`;
  const file = openSync(temporary, 'wx', statSync(real).mode & 0o777);
  let isOpen = true;
  try {
    const wanted = await fill((text) => writeAll(file, typeof text === 'string' ? Buffer.from(text) : text));
    fsyncSync(file);
    closeSync(file);
    isOpen = false;
    check();
    if (wanted) renameSync(temporary, real);
  } finally {
    if (isOpen) closeSync(file);
    rmSync(temporary, { force: true });
  }
}

function writeAll(file: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;)
    written += writeSync(file, bytes, written, bytes.length - written);
}
