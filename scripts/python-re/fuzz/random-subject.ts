import type { Random } from '../../random.ts';

/** A short random subject, made of characters that patterns use, often those of the pattern itself. */
export function randomSubject(random: Random, pattern: string, known: readonly string[]): string {
  if (known.length > 0 && random.chance(0.2)) return random.pick(known);
  const own = Array.from(pattern);
  const alphabet = random.chance(0.4) && own.length > 0 ? own : random.pick(ALPHABETS);
  return Array.from({ length: random.below(random.chance(0.2) ? 40 : 12) }, () => random.pick(alphabet)).join(
    '',
  );
}

const ALPHABETS: readonly (readonly string[])[] = [
  [...'ab'],
  [...'abc'],
  [...'aabbccxyz01_ -#', '\n'],
  [...'aAbBkKsSiI', 'ſ', 'İ', 'ı', '\u212a', 'ß', 'ẞ', 'µ', 'μ', 'Σ', 'σ', 'ς'],
  ['a', '😀', '😁', '𐐀', '𐐨', '\ud800', '\udc00', 'é', '\u0660', '\x1c', '\x85', '\n'],
];
