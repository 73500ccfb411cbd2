import { existsSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { splitReference } from '../../checks/custom/evaluator-reference.ts';
import { isInside } from '../../base/files/is-inside.ts';

/** The file of an evaluator that a suite names: relative to the suite, and only inside the project. */
export function locateEvaluator(
  reference: string,
  suite: string,
  root: string,
): { readonly file: string; readonly name: string } | { readonly problem: string } {
  const { file: path, name } = splitReference(reference)!;
  const file = resolve(dirname(suite), path);
  const isThere = existsSync(file);
  const isOwn = isThere ? isInside(realpathSync(file), realpathSync(root)) : isInside(file, resolve(root));
  if (!isOwn) return { problem: `${path} is outside the project (${root}), where Assay reads no files` };
  return isThere ? { file, name } : { problem: `there is no file ${path} next to ${suite}` };
}
