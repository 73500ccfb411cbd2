import { escapeForTerminal, escapeLine } from './terminal-text.ts';

/**
 * Text on one line, shown as code: nobody is mentioned by it, nothing is linked, no HTML and no Markdown in it is read,
 * and it does not end the cell of a table.
 */
export function markdownCode(text: string): string {
  const line = escapeLine(text).trim();
  if (line === '') return '';
  // A code span and a table give these three a meaning, and readers of Markdown differ on how to take it away.
  return /[`|\\]/.test(line) ? htmlCode(line) : `\`${line}\``;
}

/** The same where HTML is read, as in a `<summary>`. No character is left that Markdown or HTML could take for its own. */
export function htmlCode(text: string): string {
  const encoded = escapeLine(text)
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<code>${encoded}</code>`;
}

/** A block of text as it is. The fence is longer than any in it. */
export function markdownBlock(text: string): string {
  const safe = escapeForTerminal(text).trimEnd();
  const longest = Math.max(2, ...[...safe.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${safe}\n${fence}\n`;
}
