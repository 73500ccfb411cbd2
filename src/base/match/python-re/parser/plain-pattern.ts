/** Texts that stand on one line in this order: `Berlin`, `.*Berlin.*`, `from .* to Berlin\.`. */
export interface PlainPattern {
  /** At least one; none of them is empty, has a line feed, or has half a surrogate pair. */
  readonly texts: readonly string[];
  /** It begins with `.*`. */
  readonly isOpenAtStart: boolean;
  /** It ends with `.*`. */
  readonly isOpenAtEnd: boolean;
}

const CHARACTER = String.raw`[^\\.^$*+?{}()[\]|\n\ud800-\udfff]|\\[!-/:-@[-\x60{-~]`;
const PLAIN = new RegExp(String.raw`^(?:${CHARACTER}|\.\*)*$`);
const ESCAPE = /\\(.)/g;

/**
 * What a pattern asks for, if it needs neither a syntax tree nor a program: most patterns of suites are such, and every
 * test may have its own.
 */
export function readPlainPattern(pattern: string): PlainPattern | undefined {
  if (!PLAIN.test(pattern)) return undefined;
  // A `.*` of these two characters is always the repeat: after a backslash, `*` would stand alone, which is not plain.
  const parts = pattern.split('.*');
  const texts = parts.filter((part) => part !== '');
  if (texts.length === 0) return undefined;
  return {
    texts: pattern.includes('\\') ? texts.map((text) => text.replace(ESCAPE, '$1')) : texts,
    isOpenAtStart: parts[0] === '',
    isOpenAtEnd: parts.at(-1) === '',
  };
}
