import { renameSync, rmSync, writeFileSync } from 'node:fs';

interface WriteOptions {
  readonly mode?: number;
  /** Wait until the disk has it. */
  readonly flush?: boolean;
}

/** Writes a file in one step: it is there as a whole, or as it was. Nothing is left of what could not be written. */
export function writeWhole(path: string, text: string, options: WriteOptions = {}): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, options);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
