import type { JsonObject } from '../model/json.ts';

/** The candidate closest to a misspelled word, if one is close enough. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = word.length <= 4 ? 1 : word.length <= 7 ? 2 : 3;
  const plain = simplify(word);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    // The first letter rules out most words, and there may be very many.
    if (sameStart(candidate, plain) && simplify(candidate) === plain) return candidate;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance && distance < Math.max(word.length, candidate.length) / 2) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best ?? wholePart(word, candidates);
}

/** `pass_rate` for `min_pass_rate`, if no other candidate ends so. */
function wholePart(word: string, candidates: Iterable<string>): string | undefined {
  const found = [...candidates].filter((candidate) => candidate.endsWith(`_${word}`));
  return word.length > 3 && found.length === 1 ? found[0] : undefined;
}

export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const candidate = closest(word, candidates);
  return candidate === undefined ? undefined : `did you mean ${quoteName(candidate)}?`;
}

/** For a field that is missing: the key that its author may have meant for it. */
export function misspelledAs(name: string, value: JsonObject): string | undefined {
  const key = Object.keys(value).find((each) => each !== name && closest(each, [name]) !== undefined);
  return key === undefined ? undefined : `did you mean ${quoteName(name)} by ${quoteName(key)}?`;
}

/** The candidate that is at most one typing mistake away: a letter too many, too few, wrong, or two of them swapped. */
export function oneTypoAway(word: string, candidates: Iterable<string>): string | undefined {
  for (const candidate of candidates)
    if (editDistance(word.toLowerCase(), candidate.toLowerCase(), 2) < 2) return candidate;
  return undefined;
}

/** In YAML, `{id:a}` is the single key "id:a". That is not what the author meant. */
export function missingSpace(word: string, candidates: Iterable<string>): string | undefined {
  for (const candidate of candidates) {
    if (word.startsWith(`${candidate}:`)) return `write \`${candidate}: ...\`, with a space after the colon`;
  }
  return undefined;
}

/** Names come from files too: a very long one must not flood the message. */
export function quoteName(name: string): string {
  return `\`${name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME)}…`}\``;
}

const MAX_NAME = 80;

/** `toolTrajectory`, `tool-trajectory` and `Tool_Trajectory` are the same word. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[-_\s.]/g, '');
}

function sameStart(candidate: string, plain: string): boolean {
  return candidate.charAt(0).toLowerCase() === plain.charAt(0);
}

/** The number of edits (insert, delete, replace, swap of neighbours) between two words, at most `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit || a.length > 64) return limit;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) edits = Math.min(edits, beforeLast[j - 2]! + 1);
      row.push(edits);
    }
    beforeLast = last;
    last = row;
  }
  return Math.min(last[b.length]!, limit);
}
