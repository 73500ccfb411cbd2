/** A part of a list that can be read without the others. It contains whole items, at least one. */
export interface ListPiece {
  readonly start: number;
  /** Of the text, from 1 on. */
  readonly line: number;
}

const PIECE_LENGTH = 64 * 1024;

/**
 * Cuts a document that is a list at the left edge into pieces: a line that starts with `- ` there is in no scalar
 * and in no collection, or the text is not valid. Undefined for any other text, and when in doubt. A piece may turn
 * out to need the others: one that cannot be read, or has an anchor or an alias.
 */
export function cutYamlList(text: string, pieceLength = PIECE_LENGTH): readonly ListPiece[] | undefined {
  if (NEEDS_WHOLE.test(text)) return undefined;
  const pieces: ListPiece[] = [{ start: 0, line: 1 }];
  let hasBegun = false;
  let line = 1;
  for (let start = 0; start < text.length; start = endOfLine(text, start), line++) {
    const kind = kindOfLine(text, start);
    if (kind === 'item') {
      const isLong = start - pieces.at(-1)!.start >= pieceLength;
      if (hasBegun && isLong && isAt(PIECE_BEGINS, text, start)) pieces.push({ start, line });
      hasBegun = true;
    } else if (kind === 'other' || kind === (hasBegun ? 'marker' : 'below')) return undefined;
  }
  return hasBegun ? pieces : undefined;
}

/**
 * Line breaks that YAML 1.2, PyYAML and editors do not agree on; and merges, which are counted over the whole file.
 */
const NEEDS_WHOLE = /[\u0085\u2028\u2029]|\r(?!\n)|<</;
/** The place of an empty item depends on what precedes it. */
const PIECE_BEGINS = /- +[A-Za-z"'{]/y;
const ITEM = /-(?:[ \r\n]|$)/y;
const MARKER = /--- *\r?\n/y;
const BLANK = / *(?:\r?\n|$)/y;

/** `below`: of an item. `marker`: where the document starts. */
function kindOfLine(text: string, start: number): 'blank' | 'item' | 'below' | 'marker' | 'other' {
  const first = text[start];
  if (first === ' ') return isAt(BLANK, text, start) ? 'blank' : 'below';
  if (first === '#' || first === '\n' || first === '\r') return 'blank';
  if (isAt(ITEM, text, start)) return 'item';
  return isAt(MARKER, text, start) ? 'marker' : 'other';
}

function endOfLine(text: string, start: number): number {
  const lineFeed = text.indexOf('\n', start);
  return lineFeed === -1 ? text.length : lineFeed + 1;
}

function isAt(pattern: RegExp, text: string, offset: number): boolean {
  pattern.lastIndex = offset;
  return pattern.test(text);
}
