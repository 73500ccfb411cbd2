import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTsconfig, type ReadTsconfig } from '../../files/read-tsconfig.ts';
import { findScript } from './find-script.ts';
import { isFile } from './references.ts';

const NAMES = ['tsconfig.json', 'jsconfig.json'];

/** The files that a name means by an alias of the nearest tsconfig.json: `@/prompts` for `src/prompts.ts`. */
export function findAliased(name: string, from: string): readonly string[] {
  return nearestConfig(from)?.pathsOf?.(name).flatMap(findScript) ?? [];
}

/** The nearest tsconfig.json, with those that it extends: they decide what JSX becomes. */
export function configsFor(from: string): readonly string[] {
  return nearestConfig(from)?.files ?? [];
}

function nearestConfig(from: string): ReadTsconfig | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = NAMES.map((each) => join(folder, each)).find(isFile);
    if (file !== undefined) return configOf(file);
    if (folder === dirname(folder)) return undefined;
  }
}

/** Every file with code asks for it. */
const known = new Map<string, ReadTsconfig & { readonly saved: string }>();

function configOf(file: string): ReadTsconfig {
  const before = known.get(file);
  if (before !== undefined && savedAt(before.files) === before.saved) return before;
  const read = readTsconfig(file);
  known.set(file, { ...read, saved: savedAt(read.files) });
  return read;
}

function savedAt(files: readonly string[]): string {
  return files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs).join(' ');
}
