import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findModule } from './python-references.ts';
import { isFile, isFolder, type References } from './references.ts';
import { findScript } from './find-script.ts';
import { entriesOfPackage } from './script-references.ts';

/** What separates the words of a shell command. */
const BETWEEN = /[\s"'`;|&<>(){}$=,]+/;
const PACKAGE_RUNNERS = /^(?:npm|npx|pnpm|yarn|bun)$/;
const SCRIPT_RUNNERS = /^(?:node|tsx|ts-node)$/;
const PYTHON_RUNNERS = /^(?:uv|poetry|pdm|hatch|rye|pipenv)$/;
/** What runs the lines of a file that nobody names. */
const BUILD_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
};

/** The files that the words of a command name, relative to one of these folders. */
export function commandReferences(words: readonly string[], folders: readonly string[]): References {
  const files = new Set<string>();
  // `sh -c "cd bot && node main.mjs"` has a command in one of its words.
  const all = words.flatMap((word) => (/\s/.test(word) ? [word, ...word.split(BETWEEN)] : [word]));
  // `cd bot && node main.mjs`, `make -C bot`.
  const entered = all.flatMap((word, index) =>
    /^(?:cd|pushd|-C|--directory|--prefix|--project)$/.test(all[index - 1] ?? '')
      ? folders.map((folder) => resolve(folder, word))
      : [],
  );
  for (const folder of new Set([...folders, ...entered.filter(isFolder)]))
    for (const [index, word] of all.entries())
      for (const path of findNamed(word, all[index - 1], folder)) files.add(path);
  return { files, absent: [], folders: pythonFolders(words, folders) };
}

/** Folders among the arguments of a command, which it may read: `python bot.py knowledge`. Output folders do not count. */
export function foldersNamed(words: readonly string[], folder: string): readonly string[] {
  const named = words.filter(
    (word, index) => /[^./]/.test(word) && !/^--?(?:o|out|log|tmp|temp|cache)/.test(words[index - 1] ?? ''),
  );
  return named.map((word) => resolve(folder, word)).filter(isFolder);
}

/** `PYTHONPATH=lib:src python main.py`. */
function pythonFolders(words: readonly string[], folders: readonly string[]): readonly string[] {
  const named = words.flatMap((word) => [...word.matchAll(/\bPYTHONPATH=["']?([^\s"';&|]+)/g)]);
  const parts = named.flatMap(([, path]) => path!.split(':'));
  return folders.flatMap((folder) => parts.map((part) => resolve(folder, part))).filter(isFolder);
}

function findNamed(word: string, before: string | undefined, folder: string): readonly string[] {
  if (before === '-m') return findModule(folder, word);
  if (PACKAGE_RUNNERS.test(word)) return entriesOfPackage(nearestWith(folder, ['package.json']).folder);
  if (PYTHON_RUNNERS.test(word)) return entriesOfPyproject(folder);
  if (Object.hasOwn(BUILD_FILES, word)) return nearestWith(folder, BUILD_FILES[word]!).files;
  const [, module] = MODULE.exec(word) ?? [];
  const modules = module === undefined ? [] : findModules(folder, module);
  // `--file=agent.py` and `agent.py:main` name agent.py.
  const names = [word, ...word.split(BETWEEN), ...word.split(BETWEEN).map((part) => part.split(':')[0]!)];
  return [
    ...modules,
    ...names.flatMap((name) => (name === '' ? [] : findFileOrFolder(resolve(folder, name)))),
    // `node src/bot` runs src/bot.js.
    ...(SCRIPT_RUNNERS.test(before ?? '') ? findScript(resolve(folder, word)) : []),
  ];
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

/** `uvicorn app.main:app`. */
const MODULE = /^([A-Za-z_]\w*(?:\.\w+)*):[A-Za-z_]\w*(?:\(\))?$/;

function findModules(folder: string, name: string): readonly string[] {
  return [folder, join(folder, 'src')].flatMap((base) => findModule(base, name));
}

/** The scripts of a pyproject.toml, each with its module: `bot = "bot.cli:main"`. */
function entriesOfPyproject(from: string): readonly string[] {
  const { folder, files } = nearestWith(from, ['pyproject.toml']);
  return files.flatMap((file) => [
    file,
    ...[...textOf(file).matchAll(/=\s*["']([A-Za-z_][\w.]*):\w+["']/g)].flatMap(([, module]) =>
      findModules(folder, module!),
    ),
  ]);
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The nearest folder above with one of these files. */
function nearestWith(from: string, names: readonly string[]): { folder: string; files: readonly string[] } {
  for (let folder = from; ; folder = dirname(folder)) {
    const files = names.map((name) => join(folder, name)).filter(isFile);
    if (files.length > 0 || folder === dirname(folder)) return { folder, files };
  }
}

/** The same for the lines of a shell script, and for the scripts in a package.json. */
export function shellReferences(file: string, text: string, folders: readonly string[]): References {
  // `$LIB/env.sh` leaves `/env.sh`.
  const words = text.split('\n').flatMap((line) =>
    line
      .replace(/^\s*#.*$/, '')
      .replaceAll(/\$\w+\//g, '$/')
      .split(BETWEEN),
  );
  const named = words.flatMap((word, index) => {
    const before = words[index - 1] ?? '';
    if (/^(?:-m|cd|pushd|-C)$/.test(before) || SCRIPT_RUNNERS.test(before)) return [before, word];
    // `$(dirname "$0")/lib/main.mjs` leaves `/lib/main.mjs`.
    const relative = word.startsWith('/') ? [`.${word}`] : [];
    return /[./]/.test(word) && /[^./]/.test(word) ? [word, ...relative] : [];
  });
  const places = [dirname(file), dirname(dirname(file)), ...folders];
  const added = pythonFolders(text.split('\n'), places);
  return { ...commandReferences(named, places), folders: added };
}
