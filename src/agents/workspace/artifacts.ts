import { constants, copyFileSync, lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import { globMatcher } from '../../base/match/glob.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import type { WorkspaceRecord } from '../../base/model/workspace.ts';
import { readManifest } from './manifest.ts';

const MOST_BYTES = 256 * 1024 ** 2;

/** Copies files that the globs name. Links are left out: what they lead to may be anything. */
export async function keepArtifacts(
  globs: readonly string[],
  { from, to, id }: { readonly from: string; readonly to: string | undefined; readonly id: string },
): Promise<WorkspaceRecord['artifacts']> {
  if (globs.length === 0 || to === undefined) return undefined;
  const isWanted = globMatcher(globs);
  const folder = hashHex(id).slice(0, 16);
  const kept: { path: string; bytes: number }[] = [];
  let bytes = 0;
  for (const [path, { kind }] of (await readManifest(from)).files) {
    if (kind !== 'file' || !isWanted(path)) continue;
    const { size } = lstatSync(join(from, path));
    if ((bytes += size) > MOST_BYTES) throw new Error(`they are larger than ${MOST_BYTES / 1024 ** 2} MB`);
    const target = join(to, 'artifacts', folder, path);
    makeFolder(dirname(target));
    copyFileSync(join(from, path), target, constants.COPYFILE_FICLONE);
    kept.push({ path: `artifacts/${folder}/${path}`, bytes: size });
  }
  return kept.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
