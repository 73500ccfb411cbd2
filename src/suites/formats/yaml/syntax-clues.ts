/**
 * What the lines around a syntax error show about its cause. All functions look at a few lines only: the text may
 * be long.
 */

export interface TextLine {
  readonly start: number;
  readonly text: string;
}

export function lineAround(text: string, offset: number): TextLine {
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', offset);
  return { start, text: text.slice(start, end === -1 ? text.length : end) };
}

/** The last line with content before the one at `offset`. */
export function lineBefore(text: string, offset: number): TextLine {
  let { start } = lineAround(text, offset);
  for (let back = 0; back < MAX_LINES && start > 0; back++) {
    const line = lineAround(text, start - 1);
    if (/\S/.test(line.text)) return line;
    ({ start } = line);
  }
  return { start, text: '' };
}

const MAX_LINES = 50;

/**
 * The quote that opened a value and has no partner on its line: the usual cause of an error further down. Text over
 * several lines is not a mistake: there the next quote closes it, and is not where one opens a value.
 */
export function findOpenQuote(text: string, offset: number): number | undefined {
  let { start } = lineAround(text, offset);
  const opensBelow = new Map<string, boolean>();
  for (let back = 0; back < MAX_LINES; back++) {
    const line = lineAround(text, start).text;
    const at = openingQuote(line);
    if (at !== undefined && !isClosed(line, at))
      return opensBelow.get(line[at]!) === false ? undefined : start + at;
    for (const quote of ['"', "'"])
      if (line.includes(quote)) opensBelow.set(quote, at === line.indexOf(quote));
    if (start === 0) return undefined;
    ({ start } = lineAround(text, start - 1));
  }
  return undefined;
}

function openingQuote(line: string): number | undefined {
  const opening = /(?:^|[-:[{,]\s+)(["'])/.exec(line);
  return opening === null ? undefined : opening.index + opening[0].length - 1;
}

function isClosed(line: string, open: number): boolean {
  const rest = line.slice(open + 1);
  return line[open] === '"' ? /^(?:[^"\\]|\\.)*"/.test(rest) : /^(?:[^']|'')*'/.test(rest);
}

export function findOpenBracket(text: string, offset: number): number | undefined {
  let depth = 0;
  for (let index = Math.min(offset, text.length) - 1; index >= Math.max(0, offset - 10_000); index--) {
    const character = text[index];
    if (character === ']' || character === '}') depth++;
    else if ((character === '[' || character === '{') && depth-- === 0) return index;
  }
  return undefined;
}

/** The first character of the value on this line, if it has a special meaning in YAML. */
export function firstIndicator(text: string, offset: number): number | undefined {
  const line = lineAround(text, offset);
  const behindKey = /^(\s*(?:-\s+)*[^\s:#"'[{-][^:#"'[{]*:\s+)[@`%&*!|>?-]/.exec(line.text);
  const [, before] = behindKey ?? /^(\s*(?:-\s+)+)[@`%&*!?]/.exec(line.text) ?? [];
  return before === undefined ? undefined : line.start + before.length;
}

/** The first line of a text under `|` or `>` that is no deeper than its key. */
export function unindentedBlock(text: string, offset: number): number | undefined {
  let line = lineAround(text, offset);
  for (let back = 0; back < MAX_LINES; back++) {
    const above = lineBefore(text, line.start);
    if (/:\s+[|>][-+0-9]*\s*$/.test(above.text))
      return indentOf(above.text) === indentOf(line.text) ? line.start + indentOf(line.text) : undefined;
    if (above.text === '' || indentOf(above.text) !== indentOf(line.text)) return undefined;
    line = above;
  }
  return undefined;
}

/** The column where keys start: for a list item it is after the dash. */
export function indentOf(line: string): number {
  return /^[\s-]*/.exec(line)![0].length;
}

/** In `input: Say: hi`, the colon after `Say`. */
export function secondColon(line: string): number | undefined {
  const match = /^[\s-]*[^\s"'#[{][^:"'[{]*:\s+[^"'[{|>#\s][^"'#]*?(:)(?:\s|$)/.exec(line);
  return match === null ? undefined : match[0].lastIndexOf(':');
}
