import { escapeForTerminal, escapeLine } from './terminal-text.ts';

/**
 * Text on one line, shown as code: it mentions nobody, links nothing, contains no HTML or Markdown, and does not
 * end a table cell.
 */
export function markdownCode(text: string): string {
  const line = escapeLine(text).trim();
  if (line === '') return '';
  // Code spans and tables give these three characters a meaning, and Markdown readers differ on how to escape them.
  return /[`|\\]/.test(line) ? htmlCode(line) : `\`${line}\``;
}

/** The same for HTML, as in a `<summary>`. No character is left that Markdown or HTML could interpret. */
export function htmlCode(text: string): string {
  const encoded = escapeLine(text)
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${encoded}</code>`;
}

/** A block of literal text. Its fence is longer than any in the text. */
export function markdownBlock(text: string): string {
  const safe = escapeForTerminal(text).trimEnd();
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${safe}\n${fence}\n`;
}
