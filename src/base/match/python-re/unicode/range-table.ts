/** The code points of a property: sorted boundaries, where even entries open a range and odd ones close it. */
export interface RangeTable {
  has(codePoint: number): boolean;
}

/** Decodes on first use, so that importing a table costs nothing. */
export function lazyRangeTable(encoded: string): RangeTable {
  let boundaries: Int32Array | undefined;
  return {
    has(codePoint) {
      boundaries ??= decodeBoundaries(encoded);
      return isInside(boundaries, codePoint);
    },
  };
}

function decodeBoundaries(encoded: string): Int32Array {
  const words = encoded.split(' ');
  const boundaries = new Int32Array(words.length);
  let position = 0;
  for (let index = 0; index < words.length; index += 2) {
    position += Number.parseInt(words[index]!, 36);
    boundaries[index] = position;
    position += Number.parseInt(words[index + 1]!, 36) + 1;
    boundaries[index + 1] = position;
  }
  return boundaries;
}

function isInside(boundaries: Int32Array, codePoint: number): boolean {
  let low = 0;
  let high = boundaries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (boundaries[middle]! <= codePoint) low = middle + 1;
    else high = middle;
  }
  return (low & 1) === 1;
}
