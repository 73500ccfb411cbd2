import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** In one folder the first of these counts; the last two are those of existing projects. */
const CONFIG_NAMES = [
  ...['ts', 'mts', 'js', 'mjs', 'yaml', 'yml'].map((extension) => `assay.config.${extension}`),
  'targets.yaml',
  join('.agentv', 'targets.yaml'),
];

/** The nearest config from a folder upward; not above the root. */
export function findConfig(folder: string, root: string): string | undefined {
  for (let current = resolve(folder); ; current = dirname(current)) {
    const found = CONFIG_NAMES.map((name) => join(current, name)).find((path) => existsSync(path));
    if (found !== undefined) return found;
    if (current === resolve(root) || current === dirname(current)) return undefined;
  }
}

/** The folder paths in a config are relative to: that of the project, for a config in `.agentv`. */
export function configFolder(path: string): string {
  const folder = dirname(path);
  return folder.endsWith('.agentv') ? dirname(folder) : folder;
}
