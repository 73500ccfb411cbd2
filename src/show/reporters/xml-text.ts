import { escapeForTerminal } from './terminal-text.ts';

/**
 * Text of an XML 1.0 document. Characters that XML does not allow, or that would deceive a reader, become visible
 * escapes. `]]>` cannot occur, because `>` is escaped.
 */
export function xmlText(text: string): string {
  return escapeForTerminal(text)
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
}

/** Attributes of a tag. Those without a value are left out. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number | undefined>>): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${attributeText(String(value))}"`)
    .join('');
}

/** Unescaped, a line feed or tab in an attribute would be read as a space. */
function attributeText(text: string): string {
  return xmlText(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}
