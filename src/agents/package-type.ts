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
