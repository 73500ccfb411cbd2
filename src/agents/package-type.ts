import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What the nearest package.json says. */
export function packageType(path: string): unknown {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const text = readText(join(folder, 'package.json'));
    if (text === '' && folder !== dirname(folder)) continue;
    try {
      return (JSON.parse(text) as { readonly type?: unknown }).type;
    } catch {
      return undefined;
    }
  }
}

/** Empty if it cannot be read: Node tells why. */
export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** That a file is not the kind of module that its package.json says. Assay loads it all the same. */
export function isAboutModuleTypes({ message, code }: Error & { readonly code?: string }): boolean {
  return code === 'MODULE_TYPELESS_PACKAGE_JSON' || message.startsWith('Failed to load the ES module');
}
