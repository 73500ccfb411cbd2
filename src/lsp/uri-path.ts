import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The path of a document on this machine; undefined for `untitled:` and everything else that is not a file here. */
export function pathOfUri(uri: string): string | undefined {
  try {
    const path = fileURLToPath(uri);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}

export function uriOfPath(path: string): string {
  return pathToFileURL(path).href;
}

/** A document that was never saved is read as a file of the folder, under a name that is free. */
export function untitledPath(uri: string, languageId: string, folder: string): string | undefined {
  if (!uri.startsWith('untitled:')) return undefined;
  const name =
    uri
      .slice('untitled:'.length)
      .replaceAll(/[^\w.-]+/g, '-')
      .replace(/^-+/, '') || 'untitled';
  const isNamed = /\.(?:ya?ml|jsonl?)$/i.test(name);
  const path = join(folder, isNamed ? name : `${name}.${languageId.startsWith('json') ? 'json' : 'yaml'}`);
  return existsSync(path) ? undefined : path;
}
