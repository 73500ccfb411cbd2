/** Marks the beginning and end of quoted material, with a code that none of the texts contains. */
export interface Delimiter {
  readonly code: string;
  enclose(name: string, text: string): string;
}

/**
 * The code is derived from all texts of a prompt: no author of one of them could know it, and it is still checked
 * against all of them. Derived, not random: the same evidence must give the same prompt, or no reply could be
 * cached.
 */
export function createDelimiter(texts: readonly string[], makeCode = fingerprint): Delimiter {
  let code = '';
  for (let salt = 0; code === '' || texts.some((text) => text.toLowerCase().includes(code)); salt++) {
    code = makeCode(texts, salt);
  }
  return { code, enclose: (name, text) => `<<<${name} ${code}\n${text}\n${code} ${name}>>>` };
}

function fingerprint(texts: readonly string[], salt: number): string {
  return [0, 1]
    .map((half) =>
      hash(texts, 2 * salt + half)
        .toString(36)
        .padStart(7, '0'),
    )
    .join('');
}

/** FNV-1a, followed by a mix so that the seed reaches every bit. */
function hash(texts: readonly string[], seed: number): number {
  let value = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0;
  for (const text of texts) {
    for (let index = 0; index < text.length; index++)
      value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
    value = Math.imul(value ^ 0x1f, 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  return (value ^ (value >>> 13)) >>> 0;
}
