/** Pictures made of pixels: an SVG is a document, and may hold more than a picture. */
const HEAD = /data:image\/(?:png|jpe?g|gif|webp|avif);base64,/y;
const NAMED = /!\[([^\]\n]{0,500})\]\(\s{0,10}$/;

/** A larger one is named, and not drawn. */
const MAX_LENGTH = 6_000_000;
const MIN_DATA = 16;

export function isDataImage(text: string): boolean {
  return text.startsWith('data:image/') && imageEnd(text, 0) === text.length;
}

/** Where a picture that starts here ends. Undefined if it is none, or too large. A pattern over megabytes would overflow. */
function imageEnd(text: string, start: number): number | undefined {
  HEAD.lastIndex = start;
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const first = start + head[0].length;
  let end = first;
  while (isBase64(text.charCodeAt(end))) end++;
  if (end - first < MIN_DATA || end - start > MAX_LENGTH) return undefined;
  while (text[end] === '=' && end < text.length) end++;
  return end;
}

function isBase64(code: number): boolean {
  return (
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2f
  );
}

export interface ImagePart {
  readonly kind: 'image';
  readonly address: string;
  readonly name: string;
}

export interface WordsPart {
  readonly kind: 'words';
  readonly text: string;
}

/** A text, and the pictures in it. */
export function splitImages(text: string): readonly (ImagePart | WordsPart)[] {
  const parts: (ImagePart | WordsPart)[] = [];
  let at = 0;
  let start = text.indexOf('data:image/');
  while (start !== -1) {
    const end = imageEnd(text, start);
    if (end !== undefined && !isQuoted(text, start, end)) {
      const named = NAMED.exec(text.slice(Math.max(at, start - 600), start));
      const from = named === null ? start : start - named[0].length;
      if (from > at) parts.push({ kind: 'words', text: text.slice(at, from) });
      parts.push({ kind: 'image', address: text.slice(start, end), name: named?.[1] ?? '' });
      at = named !== null && text[end] === ')' ? end + 1 : end;
    }
    start = text.indexOf('data:image/', Math.max(end ?? 0, start + 1));
  }
  if (at < text.length) parts.push({ kind: 'words', text: text.slice(at) });
  return parts;
}

/** In quotes or brackets it is part of other code, which would lose its sense without it. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /["'`(\w]/.test(text[start - 1] ?? ' ') && !(text[start - 1] === '(' && text[end] === ')');
}

/** `image/png, 12 kB`. */
export function describeImage(address: string): string {
  const comma = address.indexOf(',');
  const bytes = Math.floor(((address.length - comma - 1) * 3) / 4);
  return `${address.slice('data:'.length, address.indexOf(';'))}, ${sizeOf(bytes)}`;
}

function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
