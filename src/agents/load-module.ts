import { createRequire } from 'node:module';
import { dirname, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { addressOfInstance, addressOfLoneModule, forgetRequired, type LoneModule } from './fresh-modules.ts';
import type { JitiLoader } from './jiti-loader.ts';
import { packageType, readText } from './package-type.ts';
import { findTsconfig } from './tsconfig.ts';
import { noteUserCode } from '../base/system/user-code.ts';

export type UserModule = Readonly<Record<string, unknown>>;

export interface LoadModuleOptions {
  readonly root: string;
  readonly instance?: number;
  /** The same object for each instance of one module. */
  readonly lone?: LoneModule;
}

/**
 * Imports a user's JavaScript or TypeScript module as it is, without a build step: by Node itself, or by jiti if Node cannot
 * read the file as it is written. The nearest tsconfig.json says how names of modules and JSX are read; none above `root` is
 * looked at. Another instance than 0 is loaded anew, with the modules of the project that it imports.
 */
export async function loadModule(file: string, options: LoadModuleOptions): Promise<UserModule> {
  const { root, instance = 0, lone = {} } = options;
  noteUserCode();
  const path = resolve(file);
  const alone =
    instance === 0 || notForNode.has(path) ? undefined : addressOfLoneModule(path, { instance, lone });
  const forget = () => forgetRequired(path.startsWith(resolve(root) + sep) ? resolve(root) : dirname(path));
  if (instance !== 0 && alone === undefined) forget();
  // Node would ask its hooks about it, and in older versions a thread.
  if (instance !== 0 && isCommonJs(path)) return { default: createRequire(path)(path) as unknown };
  if (alone === undefined && (await isForJiti(path, root))) return (await createLoader(path, options)).load();
  try {
    return await importAddress(alone ?? addressOfInstance(pathToFileURL(path).href, instance));
  } catch (error) {
    if (!isHowItIsWritten(error)) throw error;
    // What it required before it failed must not be half new and half old.
    forget();
    const loader = await createLoader(path, options);
    const module = await loader.load();
    await checkNamedExport(loader, error);
    notForNode.add(path);
    return module;
  }
}

/** Files that Node could not read. Another instance of one does not try again. */
const notForNode = new Set<string>();

async function isForJiti(path: string, root: string): Promise<boolean> {
  if (notForNode.has(path) || /\.[jt]sx$/i.test(path) || isModuleInCommonJs(path)) return true;
  return TYPESCRIPT.test(path) && (!stripsTypes() || (await findTsconfig(path, root))?.mapsNames === true);
}

/** One that Node loads: TypeScript and JSX are for jiti. */
function isCommonJs(path: string): boolean {
  if (notForNode.has(path) || isModuleInCommonJs(path)) return false;
  return path.endsWith('.cjs') || (path.endsWith('.js') && packageType(path) === 'commonjs');
}

/** As in every project of `npm init`: known without trying, and without Node's warning. */
function isModuleInCommonJs(path: string): boolean {
  return /\.[jt]s$/i.test(path) && packageType(path) === 'commonjs' && MODULE_SYNTAX.test(readText(path));
}

const MODULE_SYNTAX = /^[ \t]*(?:import|export)\b(?!\s*\()/m;

const TYPESCRIPT = /\.[cm]?tsx?$/i;

function stripsTypes(): boolean {
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

/**
 * Whether Node failed because of the syntax of a module, or the way it names another: `export` in what it takes for CommonJS,
 * enums, imports without an extension or by an alias. Nearly all of it is found before anything is executed.
 */
function isHowItIsWritten(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const { code = '' } = error as NodeJS.ErrnoException;
  const isOtherKind = error.message.includes('is not defined in ES module scope');
  return error instanceof SyntaxError || NOT_FOR_NODE.has(code) || isOtherKind;
}

const NOT_FOR_NODE = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_INVALID_MODULE_SPECIFIER',
  'ERR_PACKAGE_IMPORT_NOT_DEFINED',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
  'ERR_IMPORT_ASSERTION_TYPE_MISSING',
  'ERR_REQUIRE_ESM',
  'ERR_REQUIRE_ASYNC_MODULE',
  'ERR_REQUIRE_CYCLE_MODULE',
]);

async function importAddress(address: string): Promise<UserModule> {
  return (await import(/* @vite-ignore */ address)) as UserModule;
}

/** To jiti, an export that does not exist is undefined. In TypeScript, it may be a type. */
async function checkNamedExport({ jiti }: JitiLoader, ofNode: Error): Promise<void> {
  const [, importer = ''] = /^(file:.+):\d+\n/.exec(ofNode.stack ?? '') ?? [];
  const name = /(?:export named|^Named export) '(.+?)'/.exec(ofNode.message)?.[1];
  const from = /requested module '(.+?)'/.exec(ofNode.message)?.[1];
  if (importer === '' || name === undefined || from === undefined) return;
  const path = fileURLToPath(importer);
  if (TYPESCRIPT.test(path)) return;
  const provided = (await jiti.import(from, { parentURL: path })) as UserModule;
  if (provided[name] === undefined) throw ofNode;
}

async function createLoader(path: string, { root, instance = 0 }: LoadModuleOptions): Promise<JitiLoader> {
  const { createJitiLoader } = await import('./jiti-loader.ts');
  return createJitiLoader(path, {
    tsconfig: await findTsconfig(path, root),
    importNatively: (url) => importAddress(addressOfInstance(url, instance)),
  });
}
