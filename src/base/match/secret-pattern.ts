/** A shorter value would occur in ordinary text. */
export const SHORTEST_SECRET = 8;

/**
 * The source of a pattern that finds a secret as it is, in a URL, in JSON (also nested), in HTML, in hexadecimal,
 * and in base64 at any offset in a longer text, also in base64 of base64. UTF-16 is found as text, in hexadecimal and in
 * base64, and words of a shell with their quotes.
 */
export function secretPattern(secret: string): string {
  const wide = wideBytes(secret);
  return [
    [...secret].map(spellings).join(''),
    [...secret].map((character) => String.raw`\\{0,8}${escapePattern(character)}`).join(NUL),
    ...[bytesOf(secret), wide].map(hexForm),
    ...[...base64Cores(secret), ...coresOf(wide)].map(base64Form),
  ].join('|');
}

/** The same for a text in which any letter may be a numeric escape: it takes many times as long. */
export function codedSecretPattern(secret: string): string {
  return `${[...secret].map(codedSpellings).join('')}|${secretPattern(secret)}`;
}

/**
 * Short strings of which at least one occurs wherever the secret does, in any spelling, once lines are joined: most
 * texts contain none of them, so the pattern is rarely built. Undefined if no part of the secret is the same in
 * every spelling.
 */
export function secretTraces(secret: string): readonly string[] | undefined {
  const wide = wideBytes(secret);
  const traces = [secret, ...base64Cores(secret), ...coresOf(wide)].map(longestPlainRun);
  if (!traces.every((trace) => trace !== undefined)) return undefined;
  const digits = [bytesOf(secret), wide].map((bytes) =>
    [...bytes]
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .slice(0, LONGEST_TRACE),
  );
  return [...traces, ...digits, ...digits.map((trace) => trace.toUpperCase())];
}

/** The text with lines of base64 joined, as they were before they were wrapped, and without the zeros of UTF-16. */
export function joinLines(text: string): string {
  return text.replaceAll(/[\r\n\0]|\\{1,8}(?:[rn]|u0000|x00)|%00/g, '');
}

/** Between the characters of UTF-16 that was read as UTF-8. */
const NUL = String.raw`(?:\0|\\{1,8}(?:u0000|x00)|%00)`;

const LONGEST_TRACE = 12;

/** Characters that are written as they are in a URL, in JSON and in both base64 alphabets. */
function longestPlainRun(text: string): string | undefined {
  const runs = text.match(/[\w.~-]{4,}/g) ?? [];
  return runs.toSorted((a, b) => b.length - a.length)[0]?.slice(0, LONGEST_TRACE);
}

/**
 * How a character may be written: as it is, percent-encoded, or escaped, with more backslashes in each level of
 * JSON (but limited: a text of backslashes alone must not take long).
 */
function spellings(character: string): string {
  if (PLAIN.test(character)) return escapePattern(character);
  if (character === '\\') return String.raw`(?:\\{1,8}|%5[cC]|\\{1,8}u005[cC])`;
  const bytes = [...new TextEncoder().encode(character)];
  const percent = bytes.map((byte) => `%(?:25){0,2}${hex(byte, 2)}`).join('');
  const forms = [String.raw`\\{0,8}${escapePattern(character)}`, percent, ...codesOf(character)];
  const short = SHORT_ESCAPES[character];
  if (short !== undefined) forms.push(String.raw`\\{1,8}${short}`);
  if (character === ' ') forms.push(String.raw`\+`);
  // In the words of a shell: outside of the quotes around it, or twice.
  if (character === "'") forms.push(String.raw`'\\{1,8}''`, String.raw`'\\{0,8}"'\\{0,8}"'`, "''");
  if (character === '"') forms.push(String.raw`\\{0,8}"\\{0,8}"`);
  return `(?:${forms.join('|')})`;
}

function codedSpellings(character: string): string {
  const codes = codesOf(character).join('|');
  if (PLAIN.test(character)) return `(?:${escapePattern(character)}|${codes})`;
  return character === '\\' ? `(?:${codes}|${spellings(character)})` : spellings(character);
}

const PLAIN = /[\w.~-]/;

/** By number: in strings of most languages, and in HTML, where some have a name too. */
function codesOf(character: string): readonly string[] {
  const bytes = [...new TextEncoder().encode(character)];
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  const point = character.codePointAt(0)!;
  return [
    units.map((unit) => String.raw`\\{1,8}u${hex(unit, 4)}`).join(''),
    bytes.map((byte) => String.raw`\\{1,8}x${hex(byte, 2)}`).join(''),
    `&(?:amp;){0,2}(?:#0{0,4}${point}|#[xX]0{0,4}${hex(point, 1)}${htmlName(character)});`,
  ];
}

/** The text with numeric escapes decoded; undefined if there are none, which is quick to see. */
export function readCodes(text: string): string | undefined {
  if (!SIGNS.some((sign) => text.includes(sign))) return undefined;
  return text.replaceAll(CODE, (_, decimal?: string, ...others: readonly unknown[]) => {
    const hexadecimal = others.slice(0, 3).find((digits) => digits !== undefined) as string;
    return String.fromCharCode(decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal));
  });
}

const SIGNS = ['&#', ';#', String.raw`\x`, String.raw`\u00`];
const CODE =
  /&(?:amp;){0,2}#(?:0{0,4}(\d{1,3})|[xX]0{0,4}([\da-fA-F]{1,2}));|\\{1,8}(?:x([\da-fA-F]{2})|u00([\da-fA-F]{2}))/g;

function htmlName(character: string): string {
  const name = HTML_NAMES[character];
  return name === undefined ? '' : `|${name}`;
}

const HTML_NAMES: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
};

/** In either case of its letters. */
function hex(code: number, digits: number): string {
  return code
    .toString(16)
    .padStart(digits, '0')
    .replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function hexForm(secret: Uint8Array): string {
  return [...secret].map((byte) => hex(byte, 2)).join('');
}

/**
 * Three bytes are four characters: the encoding depends on the offset. The ends depend on neighbours, and are cut.
 */
function base64Cores(secret: string): readonly string[] {
  const once = coresOf(bytesOf(secret));
  return [...once, ...once.flatMap((core) => coresOf(bytesOf(core)))];
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** UTF-16, from the first letter to the last: with ASCII letters, both byte orders contain the same bytes. */
function wideBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(Math.max(0, 2 * text.length - 1));
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[2 * index] = unit & 0xff;
    bytes[2 * index + 1] = unit >> 8;
  }
  return bytes;
}

function coresOf(bytes: Uint8Array): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const padded = new Uint8Array(shift + bytes.length);
    padded.set(bytes, shift);
    const encoded = btoa(String.fromCharCode(...padded)).replace(/=+$/, '');
    const core = encoded.slice(
      shift === 0 ? 0 : shift + 1,
      padded.length % 3 === 0 ? encoded.length : encoded.length - 1,
    );
    return core.length < SHORTEST_SECRET ? [] : [core];
  });
}

function base64Form(core: string): string {
  return [...core].map((character) => BASE64_SPELLINGS[character] ?? character).join(LINE_BREAKS);
}

/** Base64 for URLs has two other letters; and the usual ones may be percent-encoded there, or escaped in JSON. */
const BASE64_SPELLINGS: Readonly<Record<string, string>> = {
  '+': '(?:[+-]|%2[bB])',
  '/': String.raw`(?:\\{0,8}\/|_|%2[fF])`,
};

/** Programs wrap lines of base64 after 64 or 76 characters, at any point. */
const LINE_BREAKS = String.raw`(?:[\r\n]|\\{1,8}[rn]){0,2}`;

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
