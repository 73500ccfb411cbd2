import { readFileSync } from 'node:fs';

/** Whether a file on disk has this text. Editors may hide a byte order mark. */
export function isSaved(path: string, text: string): boolean {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '') === text.replace(/^\uFEFF/, '');
  } catch {
    return false;
  }
}
