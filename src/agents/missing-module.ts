import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Place } from '../base/model/place.ts';
import { nearName } from './agent-file.ts';
import { ownFolder } from './fresh-modules.ts';
import { withoutFolder } from './without-folder.ts';

export interface MissingModule {
  readonly what: string;
  readonly place: Place | undefined;
  readonly hint: string;
}

const NOT_FOUND = /^Cannot find (?:module|package) '(.+?)'(?: imported from (.+)|\nRequire stack:\n- (.+))?/;
const NOT_EXPORTED =
  /^Package subpath '\.(?<path>.+?)' is not defined by "exports" in .*node_modules\/(?<name>.+?)\/package\.json imported from (?<importer>.+)/;

/** What a module imports and Node cannot find: a package to install, or a file of the project. */
export function explainMissingModule(error: Error): MissingModule | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const { groups } = NOT_EXPORTED.exec(message) ?? {};
  if (groups !== undefined) return explainAt(`${groups['name']}${groups['path']}`, groups['importer']!);
  const [, name, imported, required] = NOT_FOUND.exec(message) ?? [];
  if (!code.endsWith('MODULE_NOT_FOUND') || name === undefined) return undefined;
  const importer = imported ?? required;
  if (importer === undefined || importer === name || importer.startsWith(ownFolder))
    return { what: `${withoutFolder(name)} does not exist`, place: undefined, hint: 'check the path' };
  return explainAt(name, importer);
}

function explainAt(name: string, importer: string): MissingModule {
  const place = findImport(name, importer) ?? { file: importer, line: 1, column: 1 };
  return { ...explainName(name, importer), place };
}

function explainName(name: string, importer: string): Pick<MissingModule, 'what' | 'hint'> {
  if (isAbsolute(name) || /^\.{1,2}(?:\/|$)/.test(name)) {
    const path = resolve(dirname(importer), name);
    return {
      what: `${withoutFolder(path)} does not exist`,
      hint: withoutFolder(nearName(path) ?? 'check the path'),
    };
  }
  const packageName = /^(?:@[\w.-]+\/)?\w[\w.-]*/.exec(name)?.[0];
  if (packageName === undefined || isBuiltin(packageName))
    return {
      what: `there is no module "${name}"`,
      hint: 'if it is an alias, name it in `paths` of tsconfig.json',
    };
  if (isInstalled(packageName, importer))
    return {
      what: `the package "${packageName}" has no "${name}"`,
      hint: `check the name, and the version of ${packageName} that is installed`,
    };
  return {
    what: `the package "${packageName}" is not installed`,
    hint: `run \`npm install ${packageName}\``,
  };
}

function isInstalled(name: string, importer: string): boolean {
  for (let folder = dirname(importer); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules', name))) return true;
    if (folder === dirname(folder)) return false;
  }
}

/** Where a file names what it imports. Node's errors name the package only. */
function findImport(name: string, file: string): Place | undefined {
  if (!existsSync(file)) return undefined;
  const source = readFileSync(file, 'utf8');
  const pattern = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const at = source.search(new RegExp(`(['"\`])${pattern}(?:/[^'"\`]*)?\\1`));
  if (at === -1) return undefined;
  const before = source.slice(0, at).split('\n');
  return { file, line: before.length, column: before.at(-1)!.length + 1 };
}
