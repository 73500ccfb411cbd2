import { measureWidth } from '../parser/measure-width.ts';
import type { LookNode } from '../syntax-tree.ts';
import type { EmitContext } from './emit-context.ts';
import { isForgetful } from './mark-tracking.ts';
import * as op from './opcodes.ts';

export function emitLook(node: LookNode, context: EmitContext): void {
  const { builder } = context;
  const width = node.behind ? clampWidth(measureWidth(node.body, context.groupWidths).min) : 0;
  if (!node.negated) {
    const register = builder.newRegisters(2);
    builder.emit(op.LOOK_BEGIN, register, width);
    context.emitSequence(node.body, context, undefined);
    builder.emit(op.LOOK_END, register);
    return;
  }
  const register = builder.newRegisters(1);
  const begin = builder.emit(op.NEGATIVE_LOOK_BEGIN, register, width, 0);
  context.emitSequence(node.body, context, undefined);
  builder.emit(op.NEGATIVE_LOOK_END, register);
  builder.pointHere(begin + 3);
  if (isForgetful(context.scope)) builder.markForgetful(builder.here);
}

/** No subject is as long as the largest operand, so a wider lookbehind fails just the same. */
function clampWidth(width: number): number {
  return Math.min(width, 0x7fff_ffff);
}
