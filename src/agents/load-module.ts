import type { Jiti, TransformOptions } from 'jiti';
import { dirname, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { addressOfInstance, forgetRequired } from './fresh-modules.ts';
import { keepSourceMap } from './source-places.ts';
import { findTsconfig, type Tsconfig } from './tsconfig.ts';

export type UserModule = Readonly<Record<string, unknown>>;

export interface LoadModuleOptions {
  readonly root: string;
  readonly instance?: number;
}

/**
 * Imports a user's JavaScript or TypeScript module as it is, without a build step: by Node itself where it can, else by jiti.
 * The nearest tsconfig.json says how names of modules and JSX are read; none above `root` is looked at. Another instance than 0
 * is loaded anew, with the modules of the project that it imports.
 */
export async function loadModule(
  file: string,
  { root, instance = 0 }: LoadModuleOptions,
): Promise<UserModule> {
  const path = resolve(file);
  if (instance !== 0) forgetRequired(path.startsWith(resolve(root) + sep) ? resolve(root) : dirname(path));
  const url = addressOfInstance(pathToFileURL(path).href, instance);
  if (!/\.(?:[cm]?ts|[jt]sx)$/i.test(path)) return importNatively(url);
  const tsconfig = findTsconfig(path, root);
  if (/x$/i.test(path) || tsconfig?.mapsNames === true || !stripsTypes())
    return importWithJiti(path, tsconfig);
  try {
    return await importNatively(url);
  } catch (error) {
    if (!NOT_FOR_NODE.has((error as NodeJS.ErrnoException)?.code ?? '')) throw error;
    return importWithJiti(path, tsconfig);
  }
}

/**
 * TypeScript that Node alone does not run: enums, imports without an extension or with the name of the compiled
 * file. All are found while linking, so nothing was executed yet.
 */
const NOT_FOR_NODE = new Set([
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
]);

function stripsTypes(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

async function importNatively(url: string): Promise<UserModule> {
  return (await import(/* @vite-ignore */ url)) as UserModule;
}

/** The static entry holds its compiler as an import, which a bundler can follow. No cache: it would lie in a shared folder. */
async function importWithJiti(path: string, tsconfig: Tsconfig | undefined): Promise<UserModule> {
  const { createJiti } = await import('jiti/static');
  const id = pathToFileURL(path).href;
  const compiler = createJiti(id, { fsCache: false });
  const jiti = createJiti(id, {
    fsCache: false,
    sourceMaps: true,
    transform: (options) => ({ code: compileOnce(options, compiler) }),
    extensions: EXTENSIONS,
    jsx: jsxOptions(tsconfig),
    tsconfigPaths: tsconfig?.mapsNames === true ? tsconfig.path : false,
  });
  return (await jiti.import(path)) as UserModule;
}

interface Compiled {
  readonly source: string;
  readonly isAsync: boolean | undefined;
  readonly code: string;
}

/** By path: a module that is loaded anew for each test file is compiled once. */
const compiledFiles = new Map<string, Compiled>();

function compileOnce(options: TransformOptions, compiler: Jiti): string {
  const { filename = '', source, async: isAsync } = options;
  const known = compiledFiles.get(filename);
  if (known?.source === source && known.isAsync === isAsync) return known.code;
  const before = `(${isAsync === true ? 'async ' : ''}${JITI_WRAPPER}`.length;
  const code = keepSourceMap(filename, compiler.transform(options), before);
  compiledFiles.set(filename, { source, isAsync, code });
  return code;
}

/** What jiti puts before the code, in the same line. */
const JITI_WRAPPER =
  'function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { ';

/** In the order in which they are tried for an import that names none. */
const EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.jsx', '.json'];

/** Who asks for `react` has its functions in scope; everybody else gets them imported. */
function jsxOptions({ jsx, jsxImportSource, jsxFactory, jsxFragmentFactory }: Partial<Tsconfig> = {}) {
  if (jsx === 'react')
    return {
      runtime: 'classic',
      ...(jsxFactory !== undefined && { pragma: jsxFactory }),
      ...(jsxFragmentFactory !== undefined && { pragmaFrag: jsxFragmentFactory }),
    } as const;
  return {
    runtime: 'automatic',
    ...(jsxImportSource !== undefined && { importSource: jsxImportSource }),
  } as const;
}
