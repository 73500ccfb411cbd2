import { ownText } from '../../base/model/own-text.ts';

const MAX_LENGTH = 300;

/** The first line of a text, shortened: for titles and tables. */
export function firstLine(text: string): string {
  const start = text.search(/\S/);
  if (start === -1) return '';
  // Of a message of many megabytes, only as much is read as may be shown.
  const [line = ''] = text.slice(start, start + MAX_LENGTH + 1).split(/\r\n|\n|\r/, 1);
  if (line.length <= MAX_LENGTH) return ownText(line.trimEnd());
  return ownText(`${line.slice(0, MAX_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`);
}
