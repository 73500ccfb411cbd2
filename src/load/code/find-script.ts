import { join } from 'node:path';
import { isFile, isFolder } from './references.ts';

export const SCRIPT_ENDINGS = [
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.js',
  '.mjs',
  '.cjs',
  '.jsx',
  '.json',
  '.node',
  '.wasm',
];

/** Every file that the name could mean: which one it is depends on the loader. */
export function findScript(path: string): readonly string[] {
  const swapped = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const exact = [...new Set([path, swapped])].filter(isFile);
  if (exact.length > 0) return exact;
  const longer = SCRIPT_ENDINGS.map((extension) => path + extension);
  const inside = isFolder(path) ? SCRIPT_ENDINGS.map((extension) => join(path, `index${extension}`)) : [];
  return [...longer, ...inside].filter(isFile);
}
