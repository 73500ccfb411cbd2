/** Pictures made of pixels: an SVG is a document, and may hold more than a picture. */
const PICTURE = String.raw`data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/]{16,}={0,2}`;
const WHOLE = new RegExp(`^${PICTURE}$`);
const IN_TEXT = new RegExp(
  String.raw`(?:!\[([^\]\n]{0,500})\]\(\s*(${PICTURE})\s*\))|(?<![\w(])${PICTURE}(?![\w+/=])`,
  'g',
);

/** A larger one is named, and not drawn. */
const MAX_LENGTH = 6_000_000;

export function isDataImage(text: string): boolean {
  return text.length <= MAX_LENGTH && WHOLE.test(text);
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
  if (!text.includes('data:image/')) return [{ kind: 'words', text }];
  const parts: (ImagePart | WordsPart)[] = [];
  let at = 0;
  for (const match of text.matchAll(IN_TEXT)) {
    const address = match[2] ?? match[0];
    if (!isDataImage(address)) continue;
    if (match.index > at) parts.push({ kind: 'words', text: text.slice(at, match.index) });
    parts.push({ kind: 'image', address, name: match[1] ?? '' });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ kind: 'words', text: text.slice(at) });
  return parts;
}

/** `image/png, 12 kB`. */
export function describeImage(address: string): string {
  const comma = address.indexOf(',');
  const bytes = Math.floor(((address.length - comma - 1) * 3) / 4);
  const size =
    bytes < 1000
      ? `${bytes} bytes`
      : bytes < 1_000_000
        ? `${Math.round(bytes / 1000)} kB`
        : `${(bytes / 1_000_000).toFixed(1)} MB`;
  return `${address.slice('data:'.length, address.indexOf(';'))}, ${size}`;
}
