import { readFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findScript, SCRIPT_ENDINGS } from './find-script.ts';
import { configsFor, findAliased } from './path-aliases.ts';
import { entriesOfFolder, isFile, isFolder, type References } from './references.ts';

/**
 * Code before a name that is loaded: `import x from`, `export * from`, `import()`, `require()`,
 * `require.resolve()`.
 */
const LOADED = /\b(?:from|import|require(?:\.resolve)?)\s*\(?\s*(?:\/\*[^]*?\*\/\s*)?(["'`])([^"'`\n]+)\1?/g;
/**
 * Any other string that starts like a relative path: `new URL('./x.js', ...)`, `fork('./x.js')`, a name that is
 * loaded later.
 */
const RELATIVE = /(["'`])(\.{1,2}\/[^"'`\n]*)\1?/g;

/**
 * The files that a JavaScript or TypeScript file may load, as far as its text shows. Better one too many: names in
 * comments count too.
 */
export function scriptReferences(file: string, text: string): References {
  const files = new Set<string>();
  const absent = new Set<string>();
  for (const [, quote, name] of text.matchAll(LOADED)) {
    const found = findLoaded(name!, file, { isTemplate: quote === '`' });
    for (const path of found) files.add(path);
    if (found.length === 0 && isRelative(name!)) absent.add(resolve(dirname(file), name!));
  }
  for (const [, , name] of text.matchAll(RELATIVE))
    for (const path of findRelative(resolve(dirname(file), staticPart(name!)))) files.add(path);
  if (/\.[jt]sx$/i.test(file)) for (const path of configsFor(dirname(file))) files.add(path);
  return { files, absent };
}

function isRelative(name: string): boolean {
  return /^\.{1,2}(?:\/|$)/.test(name) && !name.includes('${');
}

/** A name that is built at run time, up to the dynamic part. */
function staticPart(name: string): string {
  return name.replace(/\$\{.*$/s, '').replace(/(?!^)[?#].*$/s, '');
}

function findLoaded(
  name: string,
  file: string,
  { isTemplate }: { readonly isTemplate: boolean },
): readonly string[] {
  const known = staticPart(name);
  if (/^(?:\.{1,2}(?:\/|$)|\/)/.test(known)) {
    const path = resolve(dirname(file), known);
    // `./${name}.mjs` and './' + name may be any file of the folder.
    if ((isTemplate && known !== name) || known.endsWith('/'))
      return findRelative(path, known.endsWith('/') ? path : dirname(path));
    return findScript(path);
  }
  if (known.startsWith('file:')) return URL.canParse(known) ? findScript(fileURLToPath(known)) : [];
  return findInPackages(known, file);
}

/** A file of code; or a whole folder, for names that start with it. */
function findRelative(path: string, folder = path): readonly string[] {
  if (isFolder(folder)) return entriesOfFolder(folder).filter(isCode);
  return findScript(path).filter(isCode);
}

function isCode(path: string): boolean {
  return SCRIPT_ENDINGS.some((extension) => path.endsWith(extension));
}

/**
 * A package of the project itself: from a workspace, or from its own `imports`. Installed packages are not project
 * files.
 */
function findInPackages(name: string, file: string): readonly string[] {
  if (name.startsWith('node:') || builtinModules.includes(name)) return [];
  const aliased = findAliased(name, dirname(file));
  if (aliased.length > 0) return aliased;
  try {
    return [createRequire(file).resolve(name)];
  } catch {
    const folder = packageFolder(name, dirname(file));
    return folder === undefined ? [] : entriesOfPackage(folder, name);
  }
}

/** The folder of a package that can only be imported, or of our own package for `#name`. */
function packageFolder(name: string, from: string): string | undefined {
  const [, wanted] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
  for (let folder = from; ; folder = dirname(folder)) {
    const found = name.startsWith('#') ? folder : join(folder, 'node_modules', wanted ?? '');
    if (isFile(join(found, 'package.json'))) return found;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Every entry file that a package.json names; of its patterns, those that fit the name that is loaded. */
export function entriesOfPackage(folder: string, loaded = ''): readonly string[] {
  const file = join(folder, 'package.json');
  if (!isFile(file)) return [];
  try {
    const { main, module, exports, imports } = JSON.parse(readFileSync(file, 'utf8')) as Record<
      string,
      unknown
    >;
    const names = [main, module, exports, imports]
      .flatMap(textsIn)
      .flatMap((name) => fitPattern(name, loaded));
    return [
      file,
      ...findScript(join(folder, 'index')),
      ...names.flatMap((name) => findScript(resolve(folder, name))),
    ];
  } catch {
    return [file];
  }
}

/** `./src/*.mjs` for `shared/deep/a` may be `./src/deep/a.mjs`, and so may each shorter end of the name. */
function fitPattern(pattern: string, loaded: string): readonly string[] {
  if (!pattern.includes('*')) return [pattern];
  const parts = loaded.split('/').slice(1);
  return parts.map((_, index) => pattern.replaceAll('*', parts.slice(index).join('/')));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
