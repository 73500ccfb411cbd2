import type { TextRule } from '../../model/text-rule.ts';
import { PatternError } from '../python-re/pattern-error.ts';
import { alphabetOf } from './alphabet.ts';
import { Automaton } from './automaton.ts';
import { TooComplex } from './formulas.ts';
import { Suffixes, type Position } from './suffixes.ts';

/** A shortest text that follows all rules; `none` if there is none; `unknown` if finding out takes too long. */
export type FoundText = { readonly text: string } | 'none' | 'unknown';

/**
 * Searches for a text that follows all of the rules. What must hold for the rest of a text is a formula; each
 * character turns it into another one, and there are finitely many of them: either one is reached that the end of
 * the text makes true, or there is no such text.
 */
export function findText(rules: readonly TextRule[]): FoundText {
  try {
    const automaton = new Automaton();
    const suffixes = new Suffixes(automaton, { type: 'all', rules });
    return search(suffixes, alphabetOf(automaton));
  } catch (error) {
    // A pattern of a dialect that is not supported here.
    if (error instanceof TooComplex || error instanceof PatternError) return 'unknown';
    throw error;
  }
}

interface Visited {
  readonly place: Position;
  readonly before: Visited | undefined;
  readonly codePoint: number;
}

const MOST_PLACES = 20_000;

function search(suffixes: Suffixes, alphabet: readonly number[]): FoundText {
  const first: Visited = { place: suffixes.start(), before: undefined, codePoint: 0 };
  const seen = new Set([first.place.key]);
  const queue = [first];
  for (const visited of queue) {
    if (suffixes.mayEnd(visited.place)) return { text: textOf(visited) };
    for (const codePoint of alphabet) {
      const place = suffixes.after(visited.place, codePoint);
      if (place === undefined || seen.has(place.key)) continue;
      if (seen.size >= MOST_PLACES) return 'unknown';
      seen.add(place.key);
      queue.push({ place, before: visited, codePoint });
    }
  }
  return 'none';
}

function textOf(visited: Visited): string {
  const characters: string[] = [];
  for (let at: Visited = visited; at.before !== undefined; at = at.before)
    characters.push(String.fromCodePoint(at.codePoint));
  return characters.toReversed().join('');
}
