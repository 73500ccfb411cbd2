import { diffArrays } from 'diff';

/** A part of two aligned sequences. */
export interface DiffPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly items: readonly string[];
}

/** Beyond this many differences a diff helps nobody, and takes long. */
const MAX_DIFFERENCES = 600;

/** The shortest edit from one sequence to the other; all removed and all added if it is too long. */
export function diffSequences(before: readonly string[], after: readonly string[]): readonly DiffPart[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_DIFFERENCES });
  const parts: readonly DiffPart[] =
    changes === undefined
      ? [
          { kind: 'removed', items: before },
          { kind: 'added', items: after },
        ]
      : changes.map(({ added, removed, value }) => ({
          kind: added ? 'added' : removed ? 'removed' : 'same',
          items: value,
        }));
  return parts.filter(({ items }) => items.length > 0);
}

export function diffLines(before: string, after: string): readonly DiffPart[] {
  return diffSequences(before.split('\n'), after.split('\n'));
}

/** Words, runs of spaces, and single other characters. */
export function diffWords(before: string, after: string): readonly DiffPart[] {
  return diffSequences(splitWords(before), splitWords(after));
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
