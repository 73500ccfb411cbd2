/**
 * Text from files, agents and models, made harmless for a terminal: control characters (which can move the cursor,
 * set titles or colours), bidirectional overrides (which can reorder text) and invisible characters become visible
 * escapes.
 */
export function escapeForTerminal(text: string): string {
  return text
    .replaceAll(UNSAFE, escapeCharacters)
    .replaceAll(TOO_MANY_MARKS, (_, few: string, rest: string) => few + escapeCharacters(rest));
}

/**
 * The same for text of several lines. CI systems read each line: they execute lines that start with `::` (GitHub)
 * or contain `##[`, `##vso[` or `##teamcity[`.
 */
export function escapeLines(text: string): string {
  return escapeForTerminal(text)
    .replaceAll(/^([^\S\n]*):(?=:)/gm, '$1\\x3a')
    .replaceAll(/##(?=[\w.]*\[)/g, '#\\x23');
}

/** The same for text that must stay on one line: a line feed would start a new one. */
export function escapeLine(text: string): string {
  return escapeLines(text.replaceAll('\n', '\\n')).replaceAll('\t', '\\t');
}

/** A line of a text that may be as long as a book. */
export function escapeShortLine(text: string): string {
  if (text.length <= SHORT) return escapeLine(text);
  return `${escapeLine(text.slice(0, SHORT - 1).replace(/[\ud800-\udbff]$/, ''))}…`;
}

const SHORT = 300;

function escapeCharacters(characters: string): string {
  return [...characters]
    .map((character) => {
      const code = character.codePointAt(0)!;
      return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
    })
    .join('');
}

/**
 * C0 except tab and line feed, DEL, C1, bidi controls, line separators, lone surrogates; and zero-width characters:
 * soft hyphens, zero-width spaces, byte order marks, annotations, and the tags and variation selectors that can
 * hide text in a text. Joiners stay: emoji and some scripts need them.
 */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** Combining marks pile up on one character and cover the lines above it. No language needs this many. */
const TOO_MANY_MARKS = /(\p{M}{8})(\p{M}+)/gu;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** As much of a text as fits into this many columns; a cut is marked. */
export function cutToWidth(text: string, columns: number): string {
  let width = 0;
  let end = 0;
  let fitting = 0;
  for (const character of text) {
    width += displayWidth(character);
    if (width > columns) return `${text.slice(0, fitting)}…`;
    end += character.length;
    // Up to here there is room for the mark too.
    if (width < columns) fitting = end;
  }
  return text;
}

const ZERO_WIDTH = /^(?:[\p{Mn}\p{Me}]|[\u200b-\u200d])$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;
