import module, { createRequire } from 'node:module';
import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Marks the modules of one instance. Node loads a file once for each address. */
const MARK = 'assay-instance';
let isRegistered = false;

/** The address of a module of which Node is to make another instance, with every module of the project that it imports. */
export function addressOfInstance(url: string, instance: number): string {
  if (instance === 0 || !url.startsWith('file:') || isInPackage(fileURLToPath(url))) return url;
  if (!isRegistered) module.register(`data:text/javascript,${encodeURIComponent(HOOKS)}`);
  isRegistered = true;
  return `${url}?${MARK}=${instance}`;
}

/**
 * What a module of an instance imports belongs to it too, unless it is a package: those are shared. Node warns in the thread of
 * the hooks about packages without a `type`, which is nothing to change for a test.
 */
const HOOKS = `
process.removeAllListeners('warning');
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  const mark = /[?&]${MARK}=\\d+/.exec(context.parentURL ?? '')?.[0].slice(1);
  const isOwn = mark !== undefined && /^file:/.test(resolved.url) && !/\\/node_modules\\//.test(resolved.url);
  if (!isOwn || /\\.(?:json|node|wasm)$/.test(resolved.url)) return resolved;
  return { ...resolved, url: resolved.url + (resolved.url.includes('?') ? '&' : '?') + mark };
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

function isInPackage(path: string): boolean {
  return path.includes(`${sep}node_modules${sep}`);
}
