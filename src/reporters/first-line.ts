import { ownText } from '../model/own-text.ts';

const MAX_LENGTH = 300;

/** The first line of a text, and not too much of it: what titles and tables have room for. */
export function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return '';
  // Of a message of many megabytes, no more is looked at than may be shown.
  const [line = ''] = text.slice(start, start + MAX_LENGTH + 1).split(/\r\n|\n|\r/, 1);
  if (line.length <= MAX_LENGTH) return ownText(line.trimEnd());
  return ownText(`${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`);
}
