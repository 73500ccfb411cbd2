import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';

export interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The files of the built page by address, read once: requests are looked up here and never on the disk. */
export function loadAssets(webFolder: string): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of fileNames(webFolder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const address = `/${name.split(sep).join('/')}`;
    assets.set(address === '/index.html' ? '/' : address, {
      type,
      bytes: readFileSync(join(webFolder, name)),
    });
  }
  return assets;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
};

function fileNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch {
    return [];
  }
}
