import { sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Records go into reports that others read: where the project is on this machine is nobody else's business. */
export function withoutFolder(text: string): string {
  const folder = process.cwd().endsWith(sep) ? process.cwd() : `${process.cwd()}${sep}`;
  return text.replaceAll(pathToFileURL(folder).href, '').replaceAll(folder, '');
}
