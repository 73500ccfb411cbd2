import {
  diffSequences,
  foldSame,
  type DiffLine,
  type DiffPart,
} from '../../src/base/match/diff-sequences.ts';
import { plural } from './format.ts';

export function diffLines(before: string, after: string): readonly DiffPart[] {
  return diffSequences(before.split('\n'), after.split('\n'));
}

/** Words, runs of spaces, and single other characters. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  return diffSequences(splitWords(before), splitWords(after));
}

/** The lines of a diff, without equal ones that are far from a difference. */
export function foldedLines(parts: readonly DiffPart[]): readonly DiffLine[] {
  return foldSame(parts, (lines) => `${plural(lines, 'line')} the same`);
}

/** 0..1: how much of the longer one is in both. */
export function similarity(parts: readonly DiffPart[]): number {
  const sizes = { same: 0, removed: 0, added: 0 };
  for (const { kind, items } of parts) for (const item of items) sizes[kind] += item.length;
  const longer = sizes.same + Math.max(sizes.removed, sizes.added);
  return longer === 0 ? 1 : sizes.same / longer;
}

function splitWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}_]+|\s+|[^]/gu) ?? [];
}
