import module, { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { packageType, readText } from './package-type.ts';

/** Marks the modules of one instance. Node loads a file once for each address. */
const MARK = 'assay-instance';
let isRegistered = false;

/** The address of a module of which Node is to make another instance, with every module of the project that it imports. */
export function addressOfInstance(url: string, instance: number): string {
  if (instance === 0 || !url.startsWith('file:') || isInPackage(fileURLToPath(url))) return url;
  if (!isRegistered) registerHooks();
  isRegistered = true;
  return `${url}?${MARK}=${instance}`;
}

/**
 * Of a module that can load no other one: without a file that Node looks for, reads and asks hooks about, which takes ten times
 * as long. Stack traces name the file.
 */
export function addressOfLoneModule(
  path: string,
  { instance, lone }: { readonly instance: number; readonly lone: LoneModule },
): string | undefined {
  if (lone.address === undefined) lone.address = findLoneAddress(path);
  return lone.address === '' ? undefined : lone.address + instance;
}

/** All instances of an agent in a run are made of the text that was read first. */
export interface LoneModule {
  /** Without the instance; empty if the module is not alone. */
  address?: string;
}

function findLoneAddress(path: string): string {
  const isModule = path.endsWith('.mjs') || (path.endsWith('.js') && packageType(path) === 'module');
  if (!isModule || isInPackage(path)) return '';
  const text = readText(path);
  if (text === '' || CAN_LOAD_OTHERS.test(text)) return '';
  const url = encodeURIComponent(`${pathToFileURL(path).href}?${MARK}=`);
  return `data:text/javascript,${encodeURIComponent(text)}%0A//%23%20sourceURL=${url}`;
}

/** In every module that can load another one, whatever else it means there. */
const CAN_LOAD_OTHERS = /\bimport\b|require|\bfrom\s*(?:['"]|\/[*/])/i;

interface Resolved {
  readonly url: string;
}
interface ResolveContext {
  readonly parentURL?: string;
  readonly conditions: readonly string[];
}
type ResolveHook = (
  specifier: string,
  context: ResolveContext,
  next: (specifier: string, context: ResolveContext) => Resolved,
) => Resolved;

/** Newer versions of Node call hooks where they are, older ones ask a thread about each module. */
function registerHooks(): void {
  const { registerHooks: registerHere } = module as {
    readonly registerHooks?: (hooks: { readonly resolve: ResolveHook }) => void;
  };
  if (registerHere === undefined)
    module.register(`data:text/javascript,${encodeURIComponent(HOOKS_OF_THREAD)}`);
  else
    registerHere({
      resolve: (specifier, context, next) => {
        const resolved = next(specifier, context);
        return context.conditions.includes('import') ? markLikeParent(resolved, context) : resolved;
      },
    });
}

/**
 * What a module of an instance imports belongs to it too, unless it is a package: those are shared. A thread gets the text of
 * this function.
 */
function markLikeParent(resolved: Resolved, { parentURL = '' }: ResolveContext): Resolved {
  const mark = /[?&](assay-instance=\d+)/.exec(parentURL)?.[1];
  const isOwn =
    mark !== undefined && resolved.url.startsWith('file:') && !/\/node_modules\//.test(resolved.url);
  if (!isOwn || /\.(?:json|node|wasm)$/.test(resolved.url)) return resolved;
  return { ...resolved, url: resolved.url + (resolved.url.includes('?') ? '&' : '?') + mark };
}

/** Node warns in the thread of the hooks about packages without a `type`, which is nothing to change for a test. */
const HOOKS_OF_THREAD = `
process.removeAllListeners('warning');
const markLikeParent = ${markLikeParent.toString()};
export async function resolve(specifier, context, next) {
  return markLikeParent(await next(specifier, context), context);
}`;

/** Stack traces name files, not addresses. */
export function withoutMarks(text: string): string {
  return text.replaceAll(new RegExp(`[?&]${MARK}=\\d+`, 'g'), '');
}

const { cache } = createRequire(import.meta.url);
/** What was there before the first agent: it belongs to Assay, or to who called it. */
const kept = new Set(Object.keys(cache));
/** Where our own code is, built or not. */
export const ownFolder = dirname(import.meta.dirname) + sep;

/** Makes `require`, and jiti, load the modules below a folder anew. Packages stay. */
export function forgetRequired(root: string): void {
  for (const path of Object.keys(cache)) {
    const isShared = kept.has(path) || path.startsWith(ownFolder) || isInPackage(path);
    if (!isShared && path.startsWith(root + sep)) delete cache[path];
  }
}

/** Whether something may have happened that no module of Node knows of. */
export function hasNativeCode(): boolean {
  return Object.keys(cache).some((path) => path.endsWith('.node'));
}

function isInPackage(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}
