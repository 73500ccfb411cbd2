import { realpathSync, statSync } from 'node:fs';
import { DraftFile } from '../../files/draft-file.ts';

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
