import { combineFlags } from '../flags.ts';
import type { ParsedPattern } from '../parser/parse-pattern.ts';
import type { Node, Sequence } from '../syntax-tree.ts';
import { unicodeCase } from '../unicode/letter-case.ts';
import { letterCaseOf } from './character-predicate.ts';
import { emitAnchor } from './emit-anchor.ts';
import { emitCharacter } from './emit-character.ts';
import { type EmitContext, filterOf, followOf } from './emit-context.ts';
import { emitLook } from './emit-look.ts';
import { emitRepeat } from './emit-repeat.ts';
import type { Filter } from './first-filter.ts';
import { hasStickyMarks, isForgetful, needsBarrier, OUTER_SCOPE } from './mark-tracking.ts';
import * as op from './opcodes.ts';
import { ProgramBuilder } from './program-builder.ts';
import type { Program } from './program.ts';
import { startCondition } from './start-condition.ts';

/** Turns a syntax tree into instructions. */
export function compileProgram(pattern: ParsedPattern): Program {
  const builder = new ProgramBuilder(pattern.groupWidths.length - 1, hasStickyMarks(pattern.body));
  const context: EmitContext = {
    builder,
    groupWidths: pattern.groupWidths,
    flags: pattern.flags,
    scope: OUTER_SCOPE,
    emitSequence,
  };
  emitSequence(pattern.body, context, undefined);
  builder.emit(op.MATCH);
  return builder.build(startCondition(pattern, builder));
}

/** `follow` tells what can come after the sequence. */
function emitSequence(sequence: Sequence, context: EmitContext, follow: Filter | undefined): void {
  for (const [index, node] of sequence.entries()) {
    emitNode(node, context, () => followOf(sequence, index, context, follow));
  }
}

/** Most nodes do not care what follows them, so it is computed on demand. */
function emitNode(node: Node, context: EmitContext, follow: () => Filter | undefined): void {
  const { builder, flags } = context;
  switch (node.type) {
    case 'literal':
    case 'any':
    case 'set':
      return emitCharacter(node, flags, builder);
    case 'anchor':
      return emitAnchor(node.kind, flags, builder);
    case 'group':
      return emitGroup(node, context, follow());
    case 'branch':
      return emitBranch(node.alternatives, context, follow());
    case 'repeat':
      return emitRepeat(node, context, follow());
    case 'look':
      return emitLook(node, context);
    case 'atomic':
      return emitAtomic(node.body, context);
    case 'conditional':
      return emitConditional(node, context, follow());
    case 'backreference':
      return emitBackreference(node.group, context);
  }
}

function emitGroup(
  node: Extract<Node, { type: 'group' }>,
  context: EmitContext,
  follow: Filter | undefined,
): void {
  const flags = combineFlags(context.flags, node.addedFlags, node.removedFlags);
  const inner = { ...context, flags };
  if (node.index === undefined) return emitSequence(node.body, inner, follow);
  emitMark(groupRegister(node.index), context);
  emitSequence(node.body, inner, follow);
  emitMark(groupRegister(node.index) + 1, context);
}

function emitMark(register: number, { builder, scope }: EmitContext): void {
  const { lastMarkRegister } = builder;
  if (lastMarkRegister === op.NONE) builder.emit(op.MARK, register);
  else builder.emit(op.TRACKED_MARK, register, lastMarkRegister, scope.isSticky ? 1 : 0);
}

function emitBranch(
  alternatives: readonly Sequence[],
  context: EmitContext,
  follow: Filter | undefined,
): void {
  const { builder } = context;
  const jumps: number[] = [];
  if (needsBarrier(context.scope)) builder.emitBarrier();
  for (const [index, alternative] of alternatives.entries()) {
    const filter = builder.filterNumber(filterOf(alternative, context, follow));
    const place = builder.emit(op.ALTERNATIVE, filter, op.NONE);
    if (isForgetful(context.scope)) builder.markForgetful(place);
    emitSequence(alternative, context, follow);
    if (index === alternatives.length - 1) break;
    jumps.push(builder.emit(op.JUMP, 0) + 1);
    builder.pointHere(place + 2);
  }
  for (const jump of jumps) builder.pointHere(jump);
}

function emitAtomic(body: Sequence, context: EmitContext): void {
  const { builder } = context;
  const register = builder.newRegisters(1);
  builder.emit(op.ATOMIC_BEGIN, register);
  // What follows must not steer the inside of a group that may not be entered again.
  context.emitSequence(body, context, undefined);
  builder.emit(op.ATOMIC_END, register);
}

function emitConditional(
  node: Extract<Node, { type: 'conditional' }>,
  context: EmitContext,
  follow: Filter | undefined,
): void {
  const { builder } = context;
  const condition = builder.emit(op.CONDITION, groupRegister(node.group), 0);
  emitSequence(node.yes, context, follow);
  const jump = builder.emit(op.JUMP, 0);
  builder.pointHere(condition + 2);
  emitSequence(node.no ?? [], context, follow);
  builder.pointHere(jump + 1);
}

function emitBackreference(group: number, { builder, flags }: EmitContext): void {
  const letterCase = letterCaseOf(flags);
  if (letterCase === undefined) builder.emit(op.BACKREFERENCE, groupRegister(group), 0);
  else builder.emit(op.FOLDED_BACKREFERENCE, groupRegister(group), letterCase === unicodeCase ? 1 : 0);
}

function groupRegister(group: number): number {
  return (group - 1) * 2;
}
