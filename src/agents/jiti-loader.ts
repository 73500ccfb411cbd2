import type { Jiti, JitiOptions, TransformOptions } from 'jiti';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
// The parts of jiti: what it exports does not let us say how modules are left to Node.
// @ts-expect-error: it has no types
import jitiOf from '../../node_modules/jiti/dist/jiti.cjs';
import { keepSourceMap, placeInSource, SourceSyntaxError } from './source-places.ts';
import { compile, type CompileError } from './compile-typescript.ts';
import type { Tsconfig } from './tsconfig.ts';
import { cacheFolder, keepCached, readCached, removeOldest } from '../base/files/private-cache.ts';
import { version } from '../base/system/version.ts';

export interface JitiLoaderOptions {
  readonly tsconfig: Tsconfig | undefined;
  /** For what needs no compiling: packages, and modules of the project. */
  readonly importNatively: (url: string) => Promise<unknown>;
}

const createJiti = jitiOf as (
  path: string,
  options: JitiOptions,
  parent: {
    readonly createRequire: typeof createRequire;
    readonly onError: (error: unknown) => never;
    readonly nativeImport: (id: string) => Promise<unknown>;
  },
) => Jiti;

export interface JitiLoader {
  readonly jiti: Jiti;
  load(): Promise<Readonly<Record<string, unknown>>>;
}

/** A loader for a module and what it imports. Not with jiti's cache, which lies in a shared folder. */
export function createJitiLoader(path: string, { tsconfig, importNatively }: JitiLoaderOptions): JitiLoader {
  const options: JitiOptions = {
    fsCache: false,
    sourceMaps: true,
    transform: (source) => ({ code: compileOnce(source) }),
    extensions: EXTENSIONS,
    jsx: jsxOptions(tsconfig),
    tsconfigPaths: tsconfig?.mapsNames === true ? tsconfig.path : false,
  };
  const jiti = createJiti(path, options, {
    createRequire,
    onError: (error) => {
      throw error;
    },
    // jiti leaves modules that it need not compile to Node. Those of the project belong to the instance.
    nativeImport: (id) => importNatively(isAbsolute(id) ? pathToFileURL(id).href : id),
  });
  return {
    jiti,
    load: async () => {
      try {
        return await jiti.import(path);
      } catch (error) {
        throw (error instanceof SyntaxError ? findRefused(error) : undefined) ?? error;
      }
    },
  };
}

/** V8 refuses some of what the compiler takes, such as a wrong regular expression. jiti does not keep where that is. */
function findRefused({ message }: SyntaxError): SourceSyntaxError | undefined {
  for (const [file, { code, isAsync }] of compiledFiles) {
    try {
      void new Script(`${wrapperFor(isAsync)}${code}\n})`, { filename: file });
    } catch (error) {
      const { message: again, stack = '' } = error as SyntaxError;
      const [, line, spaces] = /:(\d+)\n.*\n( *)\^/.exec(stack) ?? [];
      const place = placeInSource(file, Number(line), (spaces ?? '').length + 1);
      if (again === message) return new SourceSyntaxError(message, place);
    }
  }
  return undefined;
}

function wrapperFor(isAsync: boolean | undefined): string {
  return `(${isAsync === true ? 'async ' : ''}${JITI_WRAPPER}`;
}

interface Compiled {
  readonly source: string;
  readonly isAsync: boolean | undefined;
  readonly code: string;
}

/** By path: a module that is loaded anew for each test file is compiled once. */
const compiledFiles = new Map<string, Compiled>();

function compileOnce(options: TransformOptions): string {
  const { filename = '', source, async: isAsync } = options;
  const known = compiledFiles.get(filename);
  if (known?.source === source && known.isAsync === isAsync) return known.code;
  const code = keepSourceMap(filename, compileOrRead(options), wrapperFor(isAsync).length);
  compiledFiles.set(filename, { source, isAsync, code });
  return code;
}

/** Compiled in an earlier run: loading the compiler alone takes longer than a short run. */
function compileOrRead(options: TransformOptions): string {
  const folder =
    process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined ? cacheFolder('compiled') : undefined;
  const key = createHash('sha256')
    .update(JSON.stringify([version, options]))
    .digest('hex');
  const path = folder === undefined ? undefined : join(folder, key);
  const known = path === undefined ? undefined : readCached(path);
  if (known !== undefined) return known.toString();
  const { code: compiled, error } = compile(options);
  if (error !== undefined) throw compileError(options.filename ?? '', error);
  const code = compiled.replaceAll(NO_METADATA, '$1 || (() => {})');
  if (folder !== undefined && path !== undefined) {
    keepCached(path, Buffer.from(code));
    removeOldest(folder, MOST_COMPILED);
  }
  return code;
}

const MOST_COMPILED = 2000;

/** Its message begins with the name of the file and ends with the place. */
function compileError(file: string, { message, loc }: CompileError): SourceSyntaxError {
  const [first = ''] = message.split('\n');
  const what = first.replace(/^[^:]*: /, '').replace(/\s*\(\d+:\d+\)$/, '');
  return new SourceSyntaxError(what, { file, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 });
}

/** Without reflect-metadata, jiti has decorators of methods return the class where a descriptor belongs. The new code is as long. */
const NO_METADATA = /(Reflect\.metadata\?\.\("design:.*?) \|\| \(\(t\) => t\)/g;

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
