import { readFileSync, statSync } from 'node:fs';
import type { Finding } from '../../base/model/finding.ts';
import { LIMITS } from '../formats/limits.ts';
import { createLineIndex } from '../formats/line-index.ts';
import { decodeUtf8 } from '../../base/match/decode-utf8.ts';
import { unsavedText } from './unsaved-texts.ts';

/**
 * The text of a suite file, or why it has none. Only regular files are read: a FIFO or a device could hang the run.
 */
export function readSuiteFile(file: string): SuiteFileText {
  const unsaved = unsavedText(file);
  if (unsaved !== undefined)
    return unsaved.length > LIMITS.fileBytes ? tooLarge(file, unsaved.length) : { text: unsaved };
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { finding: fileFinding(file, 'not_a_file', 'not a regular file') };
    if (stats.size > LIMITS.fileBytes) return tooLarge(file, stats.size);
    // Decoding while reading is fast, but replaces invalid bytes; only then are the bytes themselves checked.
    const text = readFileSync(file, 'utf8');
    if (!text.includes('\uFFFD')) return { text };
    const bytes = readFileSync(file);
    const decoded = decodeUtf8(bytes);
    return 'text' in decoded ? decoded : { finding: invalidUtf8(file, bytes, decoded.invalidAt) };
  } catch (error) {
    return { finding: unreadable(file, error) };
  }
}

export type SuiteFileText = { readonly text: string } | { readonly finding: Finding };

function tooLarge(file: string, bytes: number): { readonly finding: Finding } {
  const message = `the file has ${megabytes(bytes)}, but the limit is ${megabytes(LIMITS.fileBytes)}`;
  return { finding: fileFinding(file, 'too_large', message, 'split it, or make it a .jsonl dataset') };
}

function invalidUtf8(file: string, bytes: Buffer, invalidAt: number): Finding {
  const before = bytes.toString('utf8', 0, invalidAt).replace(/^\uFEFF/, '');
  const message = `the byte at offset ${invalidAt} is not valid UTF-8`;
  return {
    ...fileFinding(file, 'invalid_utf8', message, SAVE_AS_UTF8),
    ...createLineIndex(before).at(before.length),
  };
}

export const SAVE_AS_UTF8 = 'save the file as UTF-8';

export function unreadable(file: string, error: unknown): Finding {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT')
    return fileFinding(file, 'unreadable', `the file "${file}" does not exist`, 'check the path');
  return fileFinding(
    file,
    'unreadable',
    `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`,
  );
}

/** A link could show lines of any file that we can read. */
export function outsideProject(file: string): Finding {
  return fileFinding(
    file,
    'outside_project',
    'this link leads out of the project, so Assay does not follow it',
    'copy the file into the project, or name the file it points to',
  );
}

/** A finding about a file as a whole. */
export function fileFinding(file: string, code: string, message: string, hint?: string): Finding {
  return {
    severity: 'error',
    code,
    message,
    ...(hint === undefined ? {} : { hint }),
    file,
    line: 1,
    column: 1,
    path: '',
  };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
