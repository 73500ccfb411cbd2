import type { Node, Sequence, SetItem } from '../syntax-tree.ts';
import { itemKey, uniqueItems } from './unique-items.ts';

/**
 * Makes one sequence of alternatives: a shared beginning is moved before the branch, and single
 * characters become a set. Python does the same, which shows in how a set ignores case.
 */
export function joinAlternatives(alternatives: readonly Sequence[]): Sequence {
  const [first, ...others] = alternatives;
  if (first === undefined) return [];
  if (others.length === 0) return first;
  const shared = sharedLength(first, others);
  const rests = alternatives.map((alternative) => alternative.slice(shared));
  const items = rests.map(itemsOf);
  const joined: Node = items.every((list) => list !== undefined)
    ? { type: 'set', negated: false, items: uniqueItems(items.flat()) }
    : { type: 'branch', alternatives: rests };
  return [...first.slice(0, shared), joined];
}

function sharedLength(first: Sequence, others: readonly Sequence[]): number {
  let length = 0;
  while (length < first.length && others.every((other) => isSameNode(first[length], other[length]))) {
    length += 1;
  }
  return length;
}

/** Compares nodes without a body; no two groups or repeats count as the same. */
function isSameNode(one: Node | undefined, other: Node | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  switch (one.type) {
    case 'literal':
      return other.type === 'literal' && one.codePoint === other.codePoint && one.negated === other.negated;
    case 'any':
      return other.type === 'any';
    case 'anchor':
      return other.type === 'anchor' && one.kind === other.kind;
    case 'backreference':
      return other.type === 'backreference' && one.group === other.group;
    case 'set':
      return (
        other.type === 'set' &&
        one.negated === other.negated &&
        one.items.length === other.items.length &&
        one.items.every((item, index) => itemKey(item) === itemKey(other.items[index]!))
      );
    default:
      return false;
  }
}

function itemsOf(alternative: Sequence): readonly SetItem[] | undefined {
  const [node] = alternative;
  if (alternative.length !== 1 || node === undefined) return undefined;
  if (node.type === 'literal' && !node.negated) return [{ type: 'character', codePoint: node.codePoint }];
  return node.type === 'set' && !node.negated ? node.items : undefined;
}
