import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { RunDescription } from '../../runs/journal/run-directory.ts';
import { discover } from '../../suites/load/discover.ts';
import { splitLines } from '../select/split-lines.ts';

/**
 * Files that what the run was asked for stands for today, and that it did not have: tests in them were added since. A part of a
 * name stands for files of the folder a run was started in, and is not looked for from another one.
 */
export async function findAddedFiles(
  description: RunDescription,
  projectRoot: string,
): Promise<readonly string[]> {
  const started = join(projectRoot, description.cwd ?? '');
  const isHere = resolve(started) === process.cwd();
  const asked = splitLines((description.options['paths'] as readonly string[] | undefined) ?? []).paths;
  const paths = (asked.length === 0 ? ['.'] : asked).flatMap((path) => {
    if (isHere) return [path];
    const there = resolve(started, path);
    return existsSync(there) ? [relative('', there) || '.'] : [];
  });
  if (paths.length === 0) return [];
  const known = new Set(description.files.map(({ file }) => resolve(projectRoot, file)));
  const { files } = await discover(paths);
  return files.filter((file) => !known.has(resolve(file)));
}
