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

/** A line of a diff, or a note in place of lines that are the same. */
export interface DiffLine {
  readonly kind: DiffPart['kind'] | 'fold';
  readonly text: string;
}

/** Equal lines are shown only near a difference. */
const LINES_AROUND = 3;

/** The lines of a diff. `noteOf` says how many equal ones are left out. */
export function foldSame(parts: readonly DiffPart[], noteOf: (lines: number) => string): readonly DiffLine[] {
  return parts.flatMap(({ kind, items }, index) => {
    const lines = items.map((text): DiffLine => ({ kind, text }));
    if (kind !== 'same') return lines;
    const head = index === 0 ? 0 : LINES_AROUND;
    const tail = index === parts.length - 1 ? 0 : LINES_AROUND;
    const folded = lines.length - head - tail;
    // A note takes as much room as a line.
    if (folded < 2) return lines;
    const note: DiffLine = { kind: 'fold', text: noteOf(folded) };
    return [...lines.slice(0, head), note, ...lines.slice(lines.length - tail)];
  });
}
