import { combineFlags } from '../flags.ts';
import type { CharacterNode, Node, Sequence } from '../syntax-tree.ts';
import { type CharacterClass, TABLE_SIZE } from './character-class.ts';

/** By code point, whether something can begin with it; the last entry stands for all past the table. */
export type Filter = Uint8Array;

export const FILTER_SIZE = TABLE_SIZE + 1;

export type ClassOf = (node: CharacterNode, flags: number) => CharacterClass;

/**
 * The characters a sequence and what follows it can begin with.
 * Undefined if the next character does not decide, as where both can be empty.
 */
export function firstFilter(
  sequence: Sequence,
  flags: number,
  follow: Filter | undefined,
  classOf: ClassOf,
): Filter | undefined {
  const filter = new Uint8Array(FILTER_SIZE);
  if (!addSequence(filter, sequence, flags, classOf)) return filter;
  return follow === undefined ? undefined : addFilter(filter, follow);
}

export function isDisjoint(characters: CharacterClass, filter: Filter): boolean {
  if (characters.mayBeWide && filter[TABLE_SIZE] === 1) return false;
  return characters.table.every((member, codePoint) => member === 0 || filter[codePoint] === 0);
}

/** Gives whether the sequence can be empty. */
function addSequence(filter: Filter, sequence: Sequence, flags: number, classOf: ClassOf): boolean {
  return sequence.every((node) => addNode(filter, node, flags, classOf));
}

function addNode(filter: Filter, node: Node, flags: number, classOf: ClassOf): boolean {
  switch (node.type) {
    case 'literal':
    case 'any':
    case 'set':
      addClass(filter, classOf(node, flags));
      return false;
    case 'anchor':
    case 'look':
      return true;
    case 'atomic':
      return addSequence(filter, node.body, flags, classOf);
    case 'group':
      return addSequence(filter, node.body, combineFlags(flags, node.addedFlags, node.removedFlags), classOf);
    case 'repeat': {
      const canBeEmpty = node.max === 0 || addSequence(filter, node.body, flags, classOf);
      return canBeEmpty || node.min === 0;
    }
    case 'branch':
      return node.alternatives
        .map((alternative) => addSequence(filter, alternative, flags, classOf))
        .includes(true);
    case 'conditional':
      return [node.yes, node.no ?? []]
        .map((part) => addSequence(filter, part, flags, classOf))
        .includes(true);
    case 'backreference':
      filter.fill(1);
      return true;
  }
}

function addClass(filter: Filter, { table, mayBeWide }: CharacterClass): void {
  for (let codePoint = 0; codePoint < TABLE_SIZE; codePoint += 1) {
    if (table[codePoint] === 1) filter[codePoint] = 1;
  }
  if (mayBeWide) filter[TABLE_SIZE] = 1;
}

function addFilter(filter: Filter, other: Filter): Filter {
  for (let index = 0; index < FILTER_SIZE; index += 1) {
    if (other[index] === 1) filter[index] = 1;
  }
  return filter;
}
