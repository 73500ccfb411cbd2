import type { Range } from 'vscode-languageserver/node';
import type { Finding } from '../base/model/finding.ts';
import type { TextDocument } from 'vscode-languageserver-textdocument';

const BOM = '\uFEFF';

/** The range of a finding. Findings count code points from 1, and editors UTF-16 units from 0. */
export function rangeOf({ line, column }: Pick<Finding, 'line' | 'column'>, document: TextDocument): Range {
  const text = lineOf(document, line - 1);
  const start = offsetOfColumn(text, column, line === 1 && text.startsWith(BOM) ? 1 : 0);
  const end = start + lengthOfToken(text.slice(start));
  return {
    start: { line: Math.min(line - 1, document.lineCount - 1), character: start },
    end: { line: Math.min(line - 1, document.lineCount - 1), character: end },
  };
}

/** A line of a document, without its end. */
function lineOf(document: TextDocument, line: number): string {
  const whole = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
  return document.getText(whole).replace(/[\r\n]+$/, '');
}

/** A byte order mark is no column. */
function offsetOfColumn(text: string, column: number, bomLength: number): number {
  let offset = bomLength;
  for (let passed = 1; passed < column && offset < text.length; passed++)
    offset += text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}

/** A quoted text, a plain word up to where it ends, or the rest of the line. At least one character, if there is one. */
function lengthOfToken(text: string): number {
  const quoted = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')/.exec(text)?.[0];
  if (quoted !== undefined) return quoted.length;
  if (/^[[{]/.test(text)) return lengthInBrackets(text);
  const plain = /^.+?(?=\s*$|\s+#|:(?:\s|$)|[,\]}](?:\s|$|[,\]}]))/.exec(text)?.[0] ?? text;
  return plain.length;
}

/** Up to the bracket that closes the first one, or to the end of the line. */
function lengthInBrackets(text: string): number {
  let depth = 0;
  for (const { 0: piece, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[[\]{}]/g)) {
    if (/^[[{]$/.test(piece)) depth++;
    else if (/^[\]}]$/.test(piece)) depth--;
    if (depth === 0) return index + 1;
  }
  return text.trimEnd().length;
}
