import { basename, dirname, join, resolve } from 'node:path';
import { entriesOfFolder, isFile, isFolder, type References } from './references.ts';

const IMPORT = /(?:^|[;:])[ \t]*import[ \t]+([^\n#;]+)/gm;
const FROM =
  /(?:^|[;:])[ \t]*from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]+(\([^)]*\)|(?:\\\r?\n|[^\n#;])+)/gm;
const CALLED = /\b(?:import_module|__import__|run_module)\(\s*(["'])([\w.]+)\1/g;
/** `import_module(f"tools.{name}")`, `import_module("tools." + name)`: any module of the package. */
const CALLED_IN = /\b(?:import_module|__import__|run_module)\(\s*[fr]{0,2}(["'])([\w.]+)\.(?:\1|\{|%s)/g;
/** Every module of a package that the file imports. */
const LISTS_MODULES = /\b(?:iter_modules|walk_packages)\b/;
const NAMED = /(["'])([^"'\n]+\.py)\1/g;

/** The files that a Python file may load, as far as its text shows. `folders`: where modules are looked for. */
export function pythonReferences(file: string, text: string, folders: readonly string[]): References {
  const own = dirname(file);
  const added = foldersAdded(own, text);
  const bases = [own, ...added, ...folders];
  const files = new Set<string>();
  const add = (base: string, name: string): void => {
    for (const path of findModule(base, name)) files.add(path);
  };
  const addAnywhere = (name: string): void => {
    for (const base of bases) add(base, name);
  };
  const addPackage = (folder: string): void => {
    for (const path of entriesOfFolder(folder)) if (path.endsWith('.py')) files.add(path);
  };
  for (const [, names] of text.matchAll(IMPORT)) for (const name of splitNames(names!)) addAnywhere(name);
  for (const [, , name] of text.matchAll(CALLED)) addAnywhere(name!);
  for (const [, dots, module, names] of text.matchAll(FROM)) {
    // `from . import x`: one dot is the folder itself, each further dot its parent.
    const base =
      dots === '' ? undefined : resolve(own, ...Array.from({ length: dots!.length - 1 }, () => '..'));
    for (const name of ['', ...splitNames(names!)]) {
      const whole = [module, name].filter((part) => part !== '' && part !== '*').join('.');
      if (base === undefined) addAnywhere(whole);
      else add(base, whole);
    }
  }
  for (const [, , name] of text.matchAll(CALLED_IN)) {
    addAnywhere(name!);
    for (const base of bases) addPackage(resolve(base, ...name!.split('.')));
  }
  if (LISTS_MODULES.test(text))
    for (const path of [...files, file]) if (basename(path) === '__init__.py') addPackage(dirname(path));
  for (const [, , name] of text.matchAll(NAMED))
    for (const base of bases) if (isFile(resolve(base, name!))) files.add(resolve(base, name!));
  return { files, absent: [], folders: added };
}

/** `sys.path.insert(0, 'lib')`: folders named in such a line, and the parent folder if it uses `dirname`. */
function foldersAdded(own: string, text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line.includes('sys.path'));
  if (lines.length === 0) return [];
  const names = lines.flatMap((line) => [...line.matchAll(/(["'])([^"'\n]+)\1/g)].map(([, , name]) => name!));
  return [dirname(own), ...names.map((name) => resolve(own, name))].filter(isFolder);
}

function splitNames(names: string): readonly string[] {
  return names
    .replaceAll(/#[^\n]*/g, '')
    .replaceAll(/[()\\\r\n]/g, ' ')
    .split(',')
    .map((name) =>
      name
        .trim()
        .split(/\s+as\s+/)[0]!
        .trim(),
    )
    .filter((name) => /^[\p{L}\p{N}_.*]+$/u.test(name));
}

/** A module and its packages: all of them are executed. */
export function findModule(base: string, name: string): readonly string[] {
  const parts = name.split('.').filter((part) => part !== '');
  const found = parts.map((_, index) => join(base, ...parts.slice(0, index + 1)));
  return [base, ...found]
    .flatMap((path, index) => [
      join(path, '__init__.py'),
      ...(index === parts.length ? [`${path}.py`, join(path, '__main__.py')] : []),
    ])
    .filter((path) => path !== join(base, '__init__.py') || parts.length === 0)
    .filter(isFile);
}
