import { cutsCharacter } from './cuts-character.ts';

/**
 * Whether a text contains another, character by character: half of a character (a surrogate of a pair) is never
 * found.
 */
export function includesText(text: string, part: string): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (!cutsCharacter(text, at) && !cutsCharacter(text, at + part.length)) return true;
    if (at >= text.length) return false;
  }
  return false;
}

export function startsWithText(text: string, part: string): boolean {
  return text.startsWith(part) && !cutsCharacter(text, part.length);
}

export function endsWithText(text: string, part: string): boolean {
  return text.endsWith(part) && !cutsCharacter(text, text.length - part.length);
}
