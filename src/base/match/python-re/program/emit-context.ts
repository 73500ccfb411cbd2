import type { Width } from '../parser/measure-width.ts';
import type { Sequence } from '../syntax-tree.ts';
import { type Filter, firstFilter } from './first-filter.ts';
import type { MarkScope } from './mark-tracking.ts';
import type { ProgramBuilder } from './program-builder.ts';

/** What the emitters of nodes share. */
export interface EmitContext {
  readonly builder: ProgramBuilder;
  readonly groupWidths: readonly (Width | undefined)[];
  /** The flags in force for the nodes to emit. */
  readonly flags: number;
  readonly scope: MarkScope;
  emitSequence(sequence: Sequence, context: EmitContext, follow: Filter | undefined): void;
}

/** What follows the node at `index`; beyond some nodes that can all be empty it is not worth the search. */
export function followOf(
  sequence: Sequence,
  index: number,
  context: EmitContext,
  follow: Filter | undefined,
): Filter | undefined {
  const end = index + 1 + FARTHEST_LOOK;
  return filterOf(sequence.slice(index + 1, end), context, end < sequence.length ? undefined : follow);
}

const FARTHEST_LOOK = 16;

/** Filters spare failing attempts, which must not be where those leave their traces in sticky marks. */
export function filterOf(
  sequence: Sequence,
  { builder, flags, scope }: EmitContext,
  follow: Filter | undefined,
): Filter | undefined {
  return scope.isSticky ? undefined : firstFilter(sequence, flags, follow, builder.classOf);
}
