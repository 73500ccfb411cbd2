import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../../base/files/make-folder.ts';
import type { ForeignFile } from '../../suites/convert/contract.ts';
import { writeWhole } from '../../base/files/write-whole.ts';
import { fileFinding } from '../../suites/load/read-suite-file.ts';
import type { Finding } from '../../base/model/finding.ts';
import { findProjectRoot } from '../../suites/load/project-root.ts';

/** Writes all of them, or none if one of them exists. */
export function writeOutputs(
  outputs: readonly ForeignFile[],
  { isForced }: { readonly isForced: boolean },
): readonly Finding[] {
  const existing = isForced ? [] : outputs.filter(({ path }) => existsSync(path));
  if (existing.length > 0)
    return existing.map(({ path }) =>
      fileFinding(
        path,
        'output_exists',
        'this file exists, so nothing is written',
        'choose another name with -o, or overwrite it with --force',
      ),
    );
  for (const { path, text } of outputs) {
    try {
      makeFolder(dirname(path), { root: findProjectRoot(process.cwd()) });
      writeWhole(path, text);
    } catch (error) {
      return [
        fileFinding(path, 'output_unwritable', `the file cannot be written: ${(error as Error).message}`),
      ];
    }
  }
  return [];
}
