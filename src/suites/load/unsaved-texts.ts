import { resolve } from 'node:path';

/**
 * Texts that an editor shows and may not have saved, by absolute path: they are read instead of the files. Only `assay lsp` has
 * any. They are kept for the whole process because everything below the loader that names a file must see the same text.
 */
const texts = new Map<string, string>();

/** The text of an open document; undefined: what is on disk counts. */
export function unsavedText(file: string): string | undefined {
  return texts.size === 0 ? undefined : texts.get(resolve(file));
}

export function keepUnsaved(path: string, text: string): void {
  texts.set(path, text);
}

export function forgetUnsaved(path: string): void {
  texts.delete(path);
}
