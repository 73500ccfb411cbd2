import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** What a tsconfig says about running code. */
export interface Tsconfig {
  readonly path: string;
  /** It maps names of modules: `paths` or `baseUrl`. */
  readonly mapsNames: boolean;
  readonly jsx?: string | undefined;
  readonly jsxImportSource?: string | undefined;
  readonly jsxFactory?: string | undefined;
  readonly jsxFragmentFactory?: string | undefined;
}

/** The nearest tsconfig.json above a file, but not above the root of its project. */
export function findTsconfig(file: string, root: string): Tsconfig | undefined {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, 'tsconfig.json');
    if (existsSync(path)) return readTsconfig(path);
    const isOver = folder === resolve(root) || folder === dirname(folder) || existsSync(join(folder, '.git'));
    if (isOver) return undefined;
  }
}

function readTsconfig(path: string): Tsconfig {
  const options = compilerOptions(path, new Set());
  const textOf = (name: string): string | undefined =>
    typeof options[name] === 'string' ? options[name] : undefined;
  return {
    path,
    mapsNames: options['paths'] !== undefined || options['baseUrl'] !== undefined,
    jsx: textOf('jsx'),
    jsxImportSource: textOf('jsxImportSource'),
    jsxFactory: textOf('jsxFactory'),
    jsxFragmentFactory: textOf('jsxFragmentFactory'),
  };
}

type Options = Readonly<Record<string, unknown>>;

/** With those of the files that it extends; a later one overrides. One that cannot be read says nothing. */
function compilerOptions(path: string, seen: Set<string>): Options {
  if (seen.has(path)) return {};
  seen.add(path);
  const { extends: bases = [], compilerOptions: own } = parse(path) as {
    readonly extends?: unknown;
    readonly compilerOptions?: Options;
  };
  const inherited = [bases].flat().map((base) => {
    const found = typeof base === 'string' ? findBase(base, path) : undefined;
    return found === undefined ? {} : compilerOptions(found, new Set(seen));
  });
  return Object.assign({}, ...inherited, own) as Options;
}

function parse(path: string): object {
  try {
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    // Comments first, then commas with nothing behind them. Strings are passed over.
    const bare = text.replaceAll(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1');
    const value: unknown = JSON.parse(bare.replaceAll(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, '$1'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

function findBase(base: string, path: string): string | undefined {
  const isFile = /^\.{1,2}(?:\/|$)|^\//.test(base);
  const start = isFile ? resolve(dirname(path), base) : base;
  const names = [start, `${start}.json`, `${start}/tsconfig.json`];
  if (isFile) return names.find((name) => name.endsWith('.json') && existsSync(name));
  const { resolve: find } = createRequire(path);
  for (const name of names.filter((each) => each.endsWith('.json') || each === start)) {
    try {
      const found = find(name);
      if (found.endsWith('.json')) return found;
    } catch {
      // Another name may do.
    }
  }
  return undefined;
}
