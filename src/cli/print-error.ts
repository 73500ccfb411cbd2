import { escapeLines } from '../reporters/terminal-text.ts';
import type { Output } from './command.ts';

/** Prints to stderr why a command cannot do what it was asked. The words may hold names and texts of anybody. */
export function printError(stderr: Output, words: string): Promise<void> {
  return stderr.write(`assay: ${escapeLines(words)}\n`);
}
