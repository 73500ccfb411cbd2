import { existsSync } from 'node:fs';
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
export async function findTsconfig(file: string, root: string): Promise<Tsconfig | undefined> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const path = join(folder, 'tsconfig.json');
    if (existsSync(path)) return describe(path);
    const isOver = folder === resolve(root) || folder === dirname(folder) || existsSync(join(folder, '.git'));
    if (isOver) return undefined;
  }
}

async function describe(path: string): Promise<Tsconfig> {
  const { readTsconfig } = await import('../base/files/read-tsconfig.ts');
  const { options, pathsOf } = readTsconfig(path);
  const textOf = (name: string): string | undefined =>
    typeof options[name] === 'string' ? options[name] : undefined;
  return {
    path,
    mapsNames: pathsOf !== undefined,
    jsx: textOf('jsx'),
    jsxImportSource: textOf('jsxImportSource'),
    jsxFactory: textOf('jsxFactory'),
    jsxFragmentFactory: textOf('jsxFragmentFactory'),
  };
}
