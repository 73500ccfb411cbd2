/**
 * Text as a search compares it: without case, in one Unicode form, and with one space for any white space. A range is
 * a place in the text as it was.
 */
export type TextRange = readonly [start: number, end: number];

export function foldText(text: string): string {
  const folded = foldPiece(text);
  // In two steps: most white space is single spaces, and to replace each of those by itself takes long.
  const spaced = OTHER_SPACE.test(folded) ? folded.replaceAll(OTHER_SPACES, ' ') : folded;
  return spaced.includes('  ') ? spaced.replaceAll(/ {2,}/g, ' ') : spaced;
}

const OTHER_SPACE = /[^\S ]/;
const OTHER_SPACES = /[^\S ]/g;

/** The places of all words in a text, in order; places that touch or overlap are one. */
export function findFolded(text: string, words: readonly string[]): readonly TextRange[] {
  const folded = foldText(text);
  const found: TextRange[] = [];
  for (const word of words.map(foldText)) {
    if (word.trim() === '') continue;
    for (let at = folded.indexOf(word); at !== -1; at = folded.indexOf(word, at + word.length))
      found.push([at, at + word.length]);
  }
  if (found.length === 0) return found;
  const joined = joinRanges(found.toSorted(([a], [b]) => a - b));
  return isSameLength(text, folded) ? joined : originalRanges(text, joined);
}

/** Greek has two small forms of sigma, and which one is used depends on the place in the word. */
function foldPiece(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
}

function joinRanges(sorted: readonly TextRange[]): readonly TextRange[] {
  const joined: [number, number][] = [];
  for (const [start, end] of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** Then every character stands where it stood. */
function isSameLength(text: string, folded: string): boolean {
  return text.length === folded.length && !/[^\t-\r -~]/.test(text);
}

/** What changes together: white space, Korean letters of one syllable, or a character with its marks. */
const CLUSTER = /\s+|[\u1100-\u11FF]+|\P{M}\p{M}*|\p{M}+/gu;

function originalRanges(text: string, ranges: readonly TextRange[]): readonly TextRange[] {
  const found: TextRange[] = [];
  let at = 0;
  let start: number | undefined;
  let next = 0;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const range = ranges[next];
    if (range === undefined) break;
    const length = /^\s/.test(cluster) ? 1 : foldPiece(cluster).length;
    if (start === undefined && at + length > range[0]) start = index;
    at += length;
    if (start === undefined || at < range[1]) continue;
    found.push([start, index + cluster.length]);
    start = undefined;
    next++;
  }
  return found;
}
