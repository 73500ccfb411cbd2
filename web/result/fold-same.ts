import { plural } from '../text/format.ts';
import type { DiffPart } from '../text/diff.ts';

export interface DiffLine {
  readonly kind: DiffPart['kind'] | 'fold';
  readonly text: string;
}

/** Equal lines are shown only near a difference. */
const CONTEXT = 3;

export function foldSame(parts: readonly DiffPart[]): readonly DiffLine[] {
  return parts.flatMap(({ kind, items }, index) => {
    const lines = items.map((text): DiffLine => ({ kind, text }));
    if (kind !== 'same') return lines;
    const head = index === 0 ? 0 : CONTEXT;
    const tail = index === parts.length - 1 ? 0 : CONTEXT;
    const folded = lines.length - head - tail;
    if (folded < 2) return lines;
    const fold: DiffLine = { kind: 'fold', text: plural(folded, 'line') + ' the same' };
    return [...lines.slice(0, head), fold, ...lines.slice(lines.length - tail)];
  });
}
