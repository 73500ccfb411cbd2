import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const CONFIG_NAMES = ['ts', 'mts', 'js', 'mjs', 'yaml', 'yml'].map((extension) => `assay.config.${extension}`);

/** The nearest config from a folder upward; not above the root. */
export function findConfig(folder: string, root: string): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const found = CONFIG_NAMES.map((name) => join(current, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (current === resolve(root) || current === dirname(current)) return undefined;
  }
}
