import type { CharacterNode, RepeatNode } from '../syntax-tree.ts';
import { characterTest, singleCharacter } from './emit-character.ts';
import { type EmitContext, filterOf } from './emit-context.ts';
import { type Filter, isDisjoint } from './first-filter.ts';
import { isForgetful, loopScope, needsBarrier } from './mark-tracking.ts';
import * as op from './opcodes.ts';

export function emitRepeat(node: RepeatNode, context: EmitContext, follow: Filter | undefined): void {
  if (node.max === 0) return;
  const character = singleCharacter(node.body);
  if (character !== undefined) return emitRun(node, character, context, follow);
  const inner = { ...context, scope: loopScope(context.scope, node.mode) };
  if (node.mode === 'possessive') return emitPossessiveLoop(node, inner);
  if (node.min === 1 && node.max === 1) return inner.emitSequence(node.body, inner, follow);
  if (node.min === 0 && node.max === 1) return emitOptional(node, inner, follow, context);
  emitLoop(node, inner, follow, context);
}

/** The largest operand; no subject is long enough for a count to reach it. */
const UNLIMITED = 0x7fff_ffff;

function emitRun(
  node: RepeatNode,
  character: CharacterNode,
  context: EmitContext,
  follow: Filter | undefined,
): void {
  const { builder, flags } = context;
  const test = characterTest(character, flags, builder);
  const operands = [test.opcode, test.operand, clamp(node.min), clamp(node.max)];
  // A repeat that cannot end before one of its own characters has only one end to try.
  const hasOneEnd = follow !== undefined && isDisjoint(builder.classOf(character, flags), follow);
  if (node.mode === 'possessive' || hasOneEnd) {
    builder.emit(op.POSSESSIVE_RUN, ...operands, op.NONE);
    return;
  }
  if (needsBarrier(context.scope)) builder.emitBarrier();
  const opcode = node.mode === 'lazy' ? op.LAZY_RUN : op.GREEDY_RUN;
  const place = builder.emit(opcode, ...operands, builder.filterNumber(follow));
  if (isForgetful(context.scope)) builder.markForgetful(place);
}

/** A loop of at most one round needs no counting. */
function emitOptional(
  node: RepeatNode,
  inner: EmitContext,
  follow: Filter | undefined,
  outer: EmitContext,
): void {
  const { builder } = inner;
  const bodyFilter = builder.filterNumber(filterOf(node.body, inner, follow));
  const skipFilter = builder.filterNumber(follow);
  if (node.mode === 'lazy') {
    const skip = builder.emit(op.ALTERNATIVE, skipFilter, op.NONE);
    const jump = builder.emit(op.JUMP, 0);
    builder.pointHere(skip + 2);
    const enter = builder.emit(op.ALTERNATIVE, bodyFilter, op.NONE);
    if (isForgetful(outer.scope)) builder.markForgetful(enter);
    inner.emitSequence(node.body, inner, follow);
    builder.pointHere(jump + 1);
    if (needsBarrier(outer.scope)) builder.emitBarrier();
    return;
  }
  const enter = builder.emit(op.ALTERNATIVE, bodyFilter, op.NONE);
  inner.emitSequence(node.body, inner, follow);
  const jump = builder.emit(op.JUMP, 0);
  builder.pointHere(enter + 2);
  builder.emit(op.ALTERNATIVE, skipFilter, op.NONE);
  builder.pointHere(jump + 1);
}

function emitLoop(
  node: RepeatNode,
  inner: EmitContext,
  follow: Filter | undefined,
  outer: EmitContext,
): void {
  const { builder } = inner;
  const register = builder.newRegisters(2);
  const begin = builder.emit(op.LOOP_BEGIN, register, 0);
  const body = builder.here;
  const again = filterOf([{ ...node, min: 0 }], inner, follow);
  inner.emitSequence(node.body, inner, again);
  builder.pointHere(begin + 2);
  const isLazy = node.mode === 'lazy';
  const loop = builder.emit(
    isLazy ? op.LAZY_LOOP : op.GREEDY_LOOP,
    register,
    clamp(node.min),
    clamp(node.max),
    body,
    builder.filterNumber(filterOf(node.body, inner, undefined)),
    builder.filterNumber(follow),
  );
  if (isLazy && isForgetful(outer.scope)) builder.markForgetful(loop);
  if (isLazy && needsBarrier(outer.scope)) builder.emitBarrier();
}

function emitPossessiveLoop(node: RepeatNode, context: EmitContext): void {
  const { builder } = context;
  const register = builder.newRegisters(3);
  builder.emit(op.LOOP_BEGIN, register, builder.here + 3);
  const loop = builder.emit(op.POSSESSIVE_LOOP, register, clamp(node.min), clamp(node.max), 0);
  context.emitSequence(node.body, context, undefined);
  builder.emit(op.POSSESSIVE_NEXT, register, loop);
  builder.pointHere(loop + 4);
}

function clamp(count: number): number {
  return Math.min(count, UNLIMITED);
}
