import { existsSync } from 'node:fs';
import type { AssertionKinds } from '../../assertions/contract/assertion-kinds.ts';
import { dirname, isAbsolute, resolve } from 'node:path';
import { referencesOf, type Reference } from '../../convert/own/references.ts';
import { locateFile } from '../../load/file-parts.ts';
import { createRootFinder } from '../../load/project-root.ts';
import type { Finding } from '../../model/finding.ts';
import type { Test } from '../../model/test.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

interface KnownMove extends Move {
  readonly kinds: AssertionKinds;
}

/** The paths of a suite that lead elsewhere from the folder of the result. */
export function movedReferences(tests: readonly Test[], { from, to, kinds }: KnownMove): readonly Finding[] {
  if (resolve(dirname(from)) === resolve(dirname(to))) return [];
  const findings = new Map<string, Finding>();
  for (const reference of referencesOf(tests, kinds)) {
    const moved = movedName(reference, { from, to });
    if (moved === undefined) continue;
    const { name, isThere } = moved;
    findings.set(name, {
      // What is not there was broken before.
      severity: isThere ? 'error' : 'warning',
      code: 'moved_path',
      message: `${name} is a path from the folder of this file, and leads elsewhere from the folder of the result`,
      hint: 'write the result into the same folder',
      ...reference.place,
      path: '',
    });
  }
  return [...findings.values()];
}

interface Moved {
  readonly name: string;
  readonly isThere: boolean;
}

function movedName(reference: Reference, { from, to }: Move): Moved | undefined {
  if ('file' in reference) {
    const { file: name } = reference;
    const rootOf = createRootFinder(process.cwd());
    const before = locateFile(name, { file: from, root: rootOf(from) }).path;
    const after = locateFile(name, { file: to, root: rootOf(to) }).path;
    return before === after ? undefined : { name, isThere: existsSync(before) };
  }
  const { script, cwd = '.' } = reference.program;
  if (typeof script === 'string') return { name: script, isThere: true };
  const folder = resolve(dirname(from), cwd);
  const name = script.join(' ');
  if (script.some((word) => existsSync(resolve(folder, word)) && !isAbsolute(word)))
    return { name, isThere: true };
  return cwd !== '.' || script.some((word) => LIKE_A_FILE.test(word)) ? { name, isThere: false } : undefined;
}

const LIKE_A_FILE = /^(?![-/]).*\.\w{1,4}$/;
