import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export type UserModule = Readonly<Record<string, unknown>>;

/**
 * Imports a user's JavaScript or TypeScript module without a build step: by Node itself if it strips types, else by
 * jiti.
 */
export async function loadModule(file: string): Promise<UserModule> {
  const path = resolve(file);
  const url = pathToFileURL(path).href;
  const isTypeScript = /\.[cm]?ts$/i.test(path);
  if (!isTypeScript) return importNatively(url);
  if (!stripsTypes()) return importWithJiti(path, url);
  try {
    return await importNatively(url);
  } catch (error) {
    if (!NOT_FOR_NODE.has((error as NodeJS.ErrnoException)?.code ?? '')) throw error;
    return importWithJiti(path, url);
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

/**
 * The static entry has its compiler as an import, which a bundler can follow. No cache: it would be in a shared
 * folder.
 */
async function importWithJiti(path: string, url: string): Promise<UserModule> {
  const { createJiti } = await import('jiti/static');
  return (await createJiti(url, { fsCache: false }).import(path)) as UserModule;
}
