import module from 'node:module';

/**
 * Keeps compiled code: compiling takes most of the time of a short run. Newer versions of Node do this themselves,
 * in the system's temporary folder.
 */
export async function useCompileCache(command: string): Promise<void> {
  const { enableCompileCache } = module as { readonly enableCompileCache?: () => unknown };
  if (enableCompileCache !== undefined) enableCompileCache();
  else if (process.env['NODE_DISABLE_COMPILE_CACHE'] === undefined) {
    const { keepCompiled } = await import('./keep-compiled.ts');
    keepCompiled(command);
  }
}
