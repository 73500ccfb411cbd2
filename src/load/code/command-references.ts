import { dirname, join, resolve } from 'node:path';
import { findModule } from './python-references.ts';
import { isFile, isFolder, type References } from './references.ts';
import { entriesOfPackage, findScript } from './script-references.ts';

/** What separates the words of a shell command. */
const BETWEEN = /[\s"'`;|&<>(){}$=,]+/;
const PACKAGE_RUNNERS = /^(?:npm|npx|pnpm|yarn|bun)$/;

/** The files that the words of a command name, relative to one of these folders. */
export function commandReferences(words: readonly string[], folders: readonly string[]): References {
  const files = new Set<string>();
  for (const folder of folders)
    for (const [index, word] of words.entries())
      for (const path of findNamed(word, words[index - 1], folder)) files.add(path);
  return { files, absent: [] };
}

function findNamed(word: string, before: string | undefined, folder: string): readonly string[] {
  if (before === '-m') return findModule(folder, word);
  if (PACKAGE_RUNNERS.test(word)) return entriesOfPackage(nearestPackage(folder));
  // `--file=agent.py` and `agent.py:main` name agent.py.
  const names = [word, ...word.split(BETWEEN), ...word.split(BETWEEN).map((part) => part.split(':')[0]!)];
  return names.flatMap((name) => (name === '' ? [] : findFileOrFolder(resolve(folder, name))));
}

/** A folder is run through its entry file: `node .`, `python app`. */
function findFileOrFolder(path: string): readonly string[] {
  if (isFile(path)) return [path];
  if (!isFolder(path)) return [];
  return [
    ...entriesOfPackage(path),
    ...findScript(join(path, 'index')),
    ...[join(path, '__main__.py')].filter(isFile),
  ];
}

function nearestPackage(folder: string): string {
  for (let current = folder; ; current = dirname(current))
    if (isFile(join(current, 'package.json')) || current === dirname(current)) return current;
}

/** The same for the lines of a shell script, and for the scripts in a package.json. */
export function shellReferences(file: string, text: string, folders: readonly string[]): References {
  const words = text.split('\n').flatMap((line) => line.replace(/^\s*#.*$/, '').split(BETWEEN));
  const named = words.flatMap((word, index) => {
    if (words[index - 1] === '-m') return ['-m', word];
    // `$(dirname "$0")/lib/main.mjs` leaves `/lib/main.mjs`.
    const relative = word.startsWith('/') ? [`.${word}`] : [];
    return /[./]/.test(word) && /[^./]/.test(word) ? [word, ...relative] : [];
  });
  return commandReferences(named, [dirname(file), ...folders]);
}
