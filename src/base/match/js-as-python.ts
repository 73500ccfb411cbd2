/**
 * A JavaScript pattern in words that Python's parser knows: properties of characters become the characters that have them, named groups lose
 * their names. To find texts with; what is found is searched with the pattern itself before it is trusted.
 */
export function jsAsPython(pattern: string, flags: string): string {
  const unnamed = pattern.replaceAll(/\(\?<(?![=!])[^>]*>/g, '(?:');
  if (!/[uv]/.test(flags)) return unnamed;
  let isInClass = false;
  return unnamed.replaceAll(/\\u\{([0-9a-fA-F]+)\}|\\[pP]\{[^}]*\}|\\[^]|[[\]]/g, (part, code?: string) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    if (code !== undefined) return `\\U${code.padStart(8, '0')}`;
    if (!/^\\[pP]\{/.test(part)) return part;
    const ranges = rangesOf(part);
    return isInClass ? ranges : `[${ranges}]`;
  });
}

const known = new Map<string, string>();

/** The characters of the basic plane that have a property, as ranges of a class. */
function rangesOf(property: string): string {
  const before = known.get(property);
  if (before !== undefined) return before;
  const has = new RegExp(`^${property}$`, 'u');
  const ranges: string[] = [];
  let start = -1;
  for (let code = 0; code <= 0x1_0000; code++) {
    const isIn = code < 0x1_0000 && (code < 0xd800 || code > 0xdfff) && has.test(String.fromCharCode(code));
    if (isIn && start === -1) start = code;
    if (isIn || start === -1) continue;
    ranges.push(`${escaped(start)}-${escaped(code - 1)}`);
    start = -1;
  }
  const joined = ranges.join('');
  known.set(property, joined);
  return joined;
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}
