import { extraCases, lowerRuns, upperRuns } from './case-data.generated.ts';

/** How a pattern with IGNORECASE folds characters: over all of Unicode, or ASCII letters only. */
export interface LetterCase {
  lower(codePoint: number): number;
  isCased(codePoint: number): boolean;
  /** Other lower-case characters that share their upper case with this lower-case one. */
  extra(lowerCodePoint: number): readonly number[];
  /** Every character of which `lower` gives this one. */
  lowerSources(lowerCodePoint: number): readonly number[];
}

export const unicodeCase: LetterCase = {
  lower: (codePoint) => (codePoint < 128 ? lowerAscii(codePoint) : lowerUnicode(codePoint)),
  isCased: (codePoint) => lowerUnicode(codePoint) !== codePoint || upperUnicode(codePoint) !== codePoint,
  extra: (codePoint) => (extraMap ??= decodeExtraCases()).get(codePoint) ?? [],
  lowerSources(codePoint) {
    lowerInverse ??= invert((lowerMap ??= decodeRuns(lowerRuns)));
    const others = lowerInverse.get(codePoint) ?? [];
    return lowerUnicode(codePoint) === codePoint ? [codePoint, ...others] : others;
  },
};

export const asciiCase: LetterCase = {
  lower: lowerAscii,
  isCased: (codePoint) => isAsciiUpper(codePoint) || isAsciiUpper(codePoint - 32),
  extra: () => [],
  lowerSources(codePoint) {
    if (isAsciiUpper(codePoint)) return [];
    return isAsciiUpper(codePoint - 32) ? [codePoint, codePoint - 32] : [codePoint];
  },
};

/** The first character of the full upper-case mapping. */
export function upperUnicode(codePoint: number): number {
  upperMap ??= decodeRuns(upperRuns);
  return upperMap.get(codePoint) ?? codePoint;
}

let lowerMap: Map<number, number> | undefined;
let lowerInverse: Map<number, number[]> | undefined;
let upperMap: Map<number, number> | undefined;
let extraMap: Map<number, number[]> | undefined;

function lowerUnicode(codePoint: number): number {
  lowerMap ??= decodeRuns(lowerRuns);
  return lowerMap.get(codePoint) ?? codePoint;
}

function lowerAscii(codePoint: number): number {
  return isAsciiUpper(codePoint) ? codePoint + 32 : codePoint;
}

function isAsciiUpper(codePoint: number): boolean {
  return codePoint >= 65 && codePoint <= 90;
}

function decodeRuns(encoded: string): Map<number, number> {
  const words = encoded.split(' ');
  const mapping = new Map<number, number>();
  let start = 0;
  for (let index = 0; index < words.length; index += 4) {
    start += Number.parseInt(words[index]!, 36);
    const count = Number.parseInt(words[index + 1]!, 36);
    const stride = Number.parseInt(words[index + 2]!, 36);
    const offset = Number.parseInt(words[index + 3]!, 36);
    for (let step = 0; step < count; step += 1) {
      mapping.set(start + step * stride, start + step * stride + offset);
    }
  }
  return mapping;
}

function decodeExtraCases(): Map<number, number[]> {
  const entries = extraCases.split(',').map((entry): [number, number[]] => {
    const [lower, ...others] = entry.split(' ').map((word) => Number.parseInt(word, 36));
    return [lower!, others];
  });
  return new Map(entries);
}

function invert(mapping: Map<number, number>): Map<number, number[]> {
  const inverse = new Map<number, number[]>();
  for (const [from, to] of mapping) {
    const sources = inverse.get(to);
    if (sources === undefined) inverse.set(to, [from]);
    else sources.push(from);
  }
  return inverse;
}
