/**
 * Text from files, agents and models, made harmless for a terminal: control characters (which can move the cursor,
 * set titles or colours) and bidirectional overrides (which can show text in another order) become visible escapes.
 */
export function escapeForTerminal(text: string): string {
  return text.replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0)!;
    return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

/**
 * The same for text that must stay on one line. A line feed would begin a line of its own, and CI systems take commands
 * from lines that begin with `::` (GitHub) or hold `##[` (GitHub, Azure).
 */
export function escapeLine(text: string): string {
  const line = escapeForTerminal(text)
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('##[', '#\\x23[');
  return line.replace(/^(\s*):(?=:)/, '$1\\x3a');
}

/** C0 except tab and line feed, DEL, C1, bidi controls, line separators, the byte order mark, lone surrogates. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;

/** How many columns of a terminal a text takes. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

const ZERO_WIDTH = /^(?:[\p{Mn}\p{Me}]|[\u200b-\u200d])$/u;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]$/u;
