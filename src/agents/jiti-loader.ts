import type { Jiti, JitiOptions, TransformOptions } from 'jiti';
import { createRequire } from 'node:module';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
// The parts of jiti: what it exports does not let us say how modules are left to Node.
// @ts-expect-error: it has no types
import jitiOf from '../../node_modules/jiti/dist/jiti.cjs';
// @ts-expect-error: nor has this
import babel from '../../node_modules/jiti/dist/babel.cjs';
import { keepSourceMap, placeInSource, SourceSyntaxError } from './source-places.ts';
import type { Tsconfig } from './tsconfig.ts';

export interface JitiLoaderOptions {
  readonly tsconfig: Tsconfig | undefined;
  /** For what needs no compiling: packages, and modules of the project. */
  readonly importNatively: (url: string) => Promise<unknown>;
}

const compile = babel as (options: TransformOptions) => {
  readonly code: string;
  readonly error?: BabelError;
};
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

/** A loader for a module and what it imports. No cache: it would lie in a shared folder. */
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
  const compiled = compile(options);
  if (compiled.error !== undefined) throw compileError(filename, compiled.error);
  const code = keepSourceMap(
    filename,
    compiled.code.replaceAll(NO_METADATA, '$1 || (() => {})'),
    wrapperFor(isAsync).length,
  );
  compiledFiles.set(filename, { source, isAsync, code });
  return code;
}

/** Its message begins with the name of the file and ends with the place. */
function compileError(file: string, { message, loc }: BabelError): SourceSyntaxError {
  const [first = ''] = message.split('\n');
  const what = first.replace(/^[^:]*: /, '').replace(/\s*\(\d+:\d+\)$/, '');
  return new SourceSyntaxError(what, { file, line: loc?.line ?? 1, column: (loc?.column ?? 0) + 1 });
}

interface BabelError {
  readonly message: string;
  readonly loc?: { readonly line: number; /** From 0. */ readonly column: number };
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
