import { realpathSync, statSync } from 'node:fs';
import { DraftFile } from '../../base/files/draft-file.ts';

export type Write = (text: string | Uint8Array) => void;

/**
 * Writes a file beside the old one, and replaces the old one when it is complete. `check` is called right before
 * that and throws if the old one must stay; it stays too if `fill` returns false.
 */
export async function replaceFile(
  path: string,
  check: () => void,
  fill: (write: Write) => boolean | Promise<boolean>,
): Promise<void> {
  const real = realpathSync(path);
  const draft = new DraftFile(real, { mode: statSync(real).mode & 0o777 });
  try {
    const isWanted = await fill((text) => draft.write(text));
    draft.sync();
    check();
    if (isWanted) draft.commit();
  } finally {
    draft.discard();
  }
}
