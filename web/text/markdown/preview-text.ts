import { isMarkdown } from './is-markdown.ts';

/** The beginning of an answer for a cell of a list, without the signs of Markdown: the answer itself is a click away. */
export function previewText(text: string): string {
  if (!isMarkdown(text)) return text;
  return text
    .replaceAll(/^ {0,3}(?:```|~~~).*\n?/gm, '')
    .replaceAll(/^ {0,3}#{1,6} +/gm, '')
    .replaceAll(/^( *)[-*+] +/gm, '$1• ')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}
