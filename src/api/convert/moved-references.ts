import { existsSync } from 'node:fs';
import type { AssertionKinds } from '../../checks/contract/assertion-kinds.ts';
import { dirname, isAbsolute, resolve } from 'node:path';
import { referencesOf, type Reference } from '../../suites/convert/own/references.ts';
import { locateFile } from '../../suites/load/file-parts.ts';
import { createRootFinder } from '../../suites/load/project-root.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Test } from '../../base/model/test.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

interface KnownMove extends Move {
  readonly kinds: AssertionKinds;
  /** The files of rows that the suite names. */
  readonly rowFiles: readonly Reference[];
}

/** The paths of a suite that lead elsewhere from the folder of the result. */
export function movedReferences(
  tests: readonly Test[],
  { from, to, kinds, rowFiles }: KnownMove,
): readonly Finding[] {
  if (resolve(dirname(from)) === resolve(dirname(to))) return [];
  const findings = new Map<string, Finding>();
  for (const reference of [...rowFiles, ...referencesOf(tests, kinds)]) {
    const moved = movedName(reference, { from, to });
    if (moved === undefined) continue;
    findings.set(moved, {
      severity: 'error',
      code: 'moved_path',
      message: `${moved} is a path from the folder of this file, and leads elsewhere from the folder of the result`,
      hint: 'write the result into the same folder',
      ...reference.place,
      path: '',
    });
  }
  return [...findings.values()];
}

/** What leads elsewhere; undefined if nothing does. */
function movedName(reference: Reference, { from, to }: Move): string | undefined {
  if ('file' in reference) {
    const { file: name } = reference;
    const rootOf = createRootFinder(process.cwd());
    const before = locateFile(name, { file: from, root: rootOf(from) }).path;
    const after = locateFile(name, { file: to, root: rootOf(to) }).path;
    return before === after ? undefined : name;
  }
  const { script, cwd = '.' } = reference.program;
  if (typeof script === 'string') return script;
  const folder = resolve(dirname(from), cwd);
  const isPath = (word: string): boolean =>
    LIKE_A_FILE.test(word) || (existsSync(resolve(folder, word)) && !isAbsolute(word));
  return cwd !== '.' || script.some(isPath) ? script.join(' ') : undefined;
}

const LIKE_A_FILE = /^(?![-/]).*\.\w{1,4}$/;
