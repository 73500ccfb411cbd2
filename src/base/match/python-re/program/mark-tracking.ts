import type { Node, RepeatNode, Sequence } from '../syntax-tree.ts';
import { singleCharacter } from './emit-character.ts';

/*
 * CPython 3.11 saves the positions of groups for backtracking only inside a greedy or lazy loop.
 * Elsewhere it takes back just the number of the last position set, which comes to the same as
 * long as no position is set twice. A possessive loop that stands in no other loop does set them
 * twice: a failed attempt in it leaves its traces in the groups ("sticky" marks), and programs
 * with such a loop track the last mark as CPython does.
 */

/** Which loops a node is in. */
export interface MarkScope {
  readonly isInLoop: boolean;
  readonly isSticky: boolean;
}

export const OUTER_SCOPE: MarkScope = { isInLoop: false, isSticky: false };

export function loopScope(scope: MarkScope, mode: RepeatNode['mode']): MarkScope {
  if (mode === 'possessive') return { ...scope, isSticky: scope.isSticky || !scope.isInLoop };
  return { ...scope, isInLoop: true };
}

/** A choice in such a scope does not restore sticky marks. */
export function isForgetful(scope: MarkScope): boolean {
  return scope.isSticky && !scope.isInLoop;
}

/** A choice in such a scope restores sticky marks even when it has no way left to go. */
export function needsBarrier(scope: MarkScope): boolean {
  return scope.isSticky && scope.isInLoop;
}

export function hasStickyMarks(sequence: Sequence, scope = OUTER_SCOPE): boolean {
  return sequence.some((node) => hasStickyMark(node, scope));
}

function hasStickyMark(node: Node, scope: MarkScope): boolean {
  switch (node.type) {
    case 'group':
      return (node.index !== undefined && scope.isSticky) || hasStickyMarks(node.body, scope);
    case 'atomic':
    case 'look':
      return hasStickyMarks(node.body, scope);
    case 'branch':
      return node.alternatives.some((alternative) => hasStickyMarks(alternative, scope));
    case 'conditional':
      return hasStickyMarks(node.yes, scope) || hasStickyMarks(node.no ?? [], scope);
    case 'repeat':
      return (
        singleCharacter(node.body) === undefined && hasStickyMarks(node.body, loopScope(scope, node.mode))
      );
    default:
      return false;
  }
}
