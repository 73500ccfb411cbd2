import { DraftFile } from './draft-file.ts';

interface WriteOptions {
  readonly mode?: number;
  /** Where it is written until it is complete. Default: beside the file. */
  readonly folder?: string;
  /** Wait until the disk has it. */
  readonly flush?: boolean;
}

/** Writes a file in one step: it is either complete or unchanged. A failed write leaves nothing behind. */
export function writeWhole(
  path: string,
  text: string | Uint8Array,
  { flush = false, ...options }: WriteOptions = {},
): void {
  const draft = new DraftFile(path, options);
  try {
    draft.write(text);
    if (flush) draft.sync();
  } catch (error) {
    draft.discard();
    throw error;
  }
  draft.commit();
}
