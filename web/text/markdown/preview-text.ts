import { isMarkdown } from './is-markdown.ts';

/** A picture or a link, which the end of the text may cut. */
const ADDRESSED = /!?\[([^\][\n]*)\]\((?:data:|https?:|mailto:)[^)\s]*\)?/g;

/** The beginning of an answer for a cell of a list, without the signs of Markdown: the answer itself is a click away. */
export function previewText(text: string): string {
  const words = text.replaceAll(ADDRESSED, '$1');
  if (!isMarkdown(text)) return words;
  return words
    .replaceAll(/^ {0,3}(?:```|~~~).*\n?/gm, '')
    .replaceAll(/^ {0,3}#{1,6} +/gm, '')
    .replaceAll(/^( *)[-*+] +/gm, '$1• ')
    .replaceAll(/\*\*|`/g, '')
    .trim();
}
