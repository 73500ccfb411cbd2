import { escapeLines } from '../show/reporters/terminal-text.ts';
import type { Output } from './command.ts';

/** Prints to stderr why a command failed. The text may contain foreign names and texts. */
export function printError(stderr: Output, words: string): Promise<void> {
  return stderr.write(`assay: ${escapeLines(words)}\n`);
}
