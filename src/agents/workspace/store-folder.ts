import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Where workspaces are: outside of every project, so that no agent finds the files of one above its folder. */
export function storeFolder(): string {
  return join(tmpdir(), `assay-workspaces-${process.getuid?.() ?? userInfo().username}`);
}
