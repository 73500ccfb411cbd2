import { globMatcher } from '../../base/match/glob.ts';
import { hashHex } from '../../base/match/hash-text.ts';
import { readManifest } from './manifest.ts';

/** Identifies the content of a template. */
export async function hashTree(folder: string, exclude: readonly string[]): Promise<string> {
  const isExcluded = globMatcher(exclude);
  const { files, others } = await readManifest(folder);
  const own = [...files].filter(([path]) => !isExcluded(path)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return hashHex(JSON.stringify([own, others.length]));
}
