import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Finding } from '../model/finding.ts';
import { LIMITS } from '../formats/limits.ts';
import { decodeUtf8 } from './decode-utf8.ts';

/** The text of a suite file, or why it has none. Only regular files are read: a FIFO or a device could hang the run. */
export function readSuiteFile(file: string): { readonly text: string } | { readonly finding: Finding } {
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { finding: unreadable(file, error) };
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { finding: fileFinding(file, 'not_a_file', 'this is no regular file') };
    if (stats.size > LIMITS.fileBytes) {
      const message = `the file has ${megabytes(stats.size)}, and the limit is ${megabytes(LIMITS.fileBytes)}`;
      return { finding: fileFinding(file, 'too_large', message, 'split it, or make it a .jsonl dataset') };
    }
    const decoded = decodeUtf8(readFileSync(descriptor));
    if ('text' in decoded) return decoded;
    return { finding: fileFinding(file, 'invalid_utf8', `the byte at offset ${decoded.invalidAt} is no UTF-8`, 'save the file as UTF-8') };
  } catch (error) {
    return { finding: unreadable(file, error) };
  } finally {
    closeSync(descriptor);
  }
}

export function unreadable(file: string, error: unknown): Finding {
  return fileFinding(file, 'unreadable', `the file cannot be read: ${error instanceof Error ? error.message : String(error)}`);
}

/** A finding about a file as a whole. */
export function fileFinding(file: string, code: string, message: string, hint?: string): Finding {
  return { severity: 'error', code, message, ...(hint === undefined ? {} : { hint }), file, line: 1, column: 1, path: '' };
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
