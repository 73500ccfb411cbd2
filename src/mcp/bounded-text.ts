import { grouped } from '../base/model/grouped.ts';
/** An answer that is longer would fill the client's context. */
const MAX_CHARACTERS = 20_000;

/** A text of at most so many characters: the rest is counted, and `hint` says how to get less. */
export function boundedText(text: string, hint: string, max = MAX_CHARACTERS): string {
  if (text.length <= max) return text;
  const begun = text.slice(0, max).replace(/[\ud800-\udbff]$/, '');
  return `${begun}\n... ${grouped(text.length - begun.length)} more characters; ${hint}\n`;
}

/** The first of many lines, and how many more there are. */
export function boundedLines(lines: readonly string[], hint: string, max = 200): string {
  const shown = lines.slice(0, max);
  const more = lines.length - shown.length;
  return boundedText([...shown, ...(more > 0 ? [`... ${more} more; ${hint}`] : [])].join('\n'), hint);
}
