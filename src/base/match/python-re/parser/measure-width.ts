import { MAX_REPEAT, type Node, type Sequence } from '../syntax-tree.ts';

/** The fewest and the most characters a sequence can consume. */
export interface Width {
  readonly min: number;
  readonly max: number;
}

/** Doubles suffice: a width that is too large to be exact is far beyond every limit. */
export function measureWidth(sequence: Sequence, groupWidths: readonly (Width | undefined)[]): Width {
  let min = 0;
  let max = 0;
  for (const node of sequence) {
    const width = measureNode(node, groupWidths);
    min += width.min;
    max += width.max;
  }
  return { min: Math.min(min, MAX_WIDTH), max: Math.min(max, MAX_WIDTH) };
}

const MAX_WIDTH = 2 ** 64;
const EMPTY: Width = { min: 0, max: 0 };
const SINGLE: Width = { min: 1, max: 1 };

function measureNode(node: Node, groupWidths: readonly (Width | undefined)[]): Width {
  switch (node.type) {
    case 'literal':
    case 'any':
    case 'set':
      return SINGLE;
    case 'anchor':
    case 'look':
      return EMPTY;
    case 'group':
    case 'atomic':
      return measureWidth(node.body, groupWidths);
    case 'branch':
      return widest(node.alternatives.map((alternative) => measureWidth(alternative, groupWidths)));
    case 'conditional': {
      const yes = measureWidth(node.yes, groupWidths);
      return widest([yes, node.no === undefined ? EMPTY : measureWidth(node.no, groupWidths)]);
    }
    case 'repeat': {
      const body = measureWidth(node.body, groupWidths);
      const unlimited = node.max === MAX_REPEAT && body.max > 0;
      return { min: body.min * node.min, max: unlimited ? MAX_WIDTH : body.max * node.max };
    }
    case 'backreference':
      return groupWidths[node.group] ?? EMPTY;
  }
}

function widest(widths: readonly Width[]): Width {
  return {
    min: Math.min(...widths.map((width) => width.min)),
    max: Math.max(...widths.map((width) => width.max)),
  };
}
