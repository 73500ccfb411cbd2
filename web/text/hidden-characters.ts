/**
 * Invisible characters, and those that make other text look different: controls, direction marks, zero-width
 * spaces, tags, and halves of surrogate pairs. Tab and line feed are plain text.
 */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex
  /(?:[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|\r(?!\n)|\p{Surrogate})/gu;

export interface HiddenCharacter {
  readonly code: number;
  /** How often it occurs in a row. */
  readonly count: number;
}

/** A text in pieces: what can be shown as it is, and what must be named. */
export function splitHidden(text: string): readonly (string | HiddenCharacter)[] {
  const pieces: (string | HiddenCharacter)[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    const code = match[0].codePointAt(0)!;
    const last = pieces.at(-1);
    if (match.index === end && typeof last === 'object' && last.code === code) {
      pieces[pieces.length - 1] = { code, count: last.count + 1 };
    } else {
      if (match.index > end) pieces.push(text.slice(end, match.index));
      pieces.push({ code, count: 1 });
    }
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/** For places with plain text only, such as the window title. */
export function withoutHidden(text: string): string {
  return text.replaceAll(HIDDEN, '\ufffd');
}

export function nameHidden(code: number): string {
  return NAMES[code] ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'NUL',
  0x07: 'BEL',
  0x08: 'BS',
  0x0d: 'CR',
  0x1b: 'ESC',
  0x7f: 'DEL',
  0xad: 'SHY',
  0x061c: 'ALM',
  0x200b: 'ZWSP',
  0x200e: 'LRM',
  0x200f: 'RLM',
  0x202a: 'LRE',
  0x202b: 'RLE',
  0x202c: 'PDF',
  0x202d: 'LRO',
  0x202e: 'RLO',
  0x2066: 'LRI',
  0x2067: 'RLI',
  0x2068: 'FSI',
  0x2069: 'PDI',
  0xfeff: 'BOM',
};

/** For plain text that others will read: each invisible character as its number, `\u202e`. */
export function hiddenAsText(text: string): string {
  return text.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
