import { Flag } from '../flags.ts';
import type { CharacterNode, Node, Sequence } from '../syntax-tree.ts';
import { letterCaseOf } from './character-predicate.ts';
import * as op from './opcodes.ts';
import type { ProgramBuilder } from './program-builder.ts';

/** The instruction that tests one character, and its operand, which is 0 where it takes none. */
export interface CharacterTest {
  readonly opcode: number;
  readonly operand: number;
}

export function characterTest(node: CharacterNode, flags: number, builder: ProgramBuilder): CharacterTest {
  if (node.type === 'any') {
    return { opcode: flags & Flag.dotAll ? op.ANY_CHARACTER : op.NOT_NEWLINE, operand: 0 };
  }
  if (node.type === 'literal' && letterCaseOf(flags)?.isCased(node.codePoint) !== true) {
    return { opcode: node.negated ? op.NOT_CHARACTER : op.CHARACTER, operand: node.codePoint };
  }
  return { opcode: op.CLASS, operand: builder.classNumber(builder.classOf(node, flags)) };
}

export function emitCharacter(node: CharacterNode, flags: number, builder: ProgramBuilder): void {
  const { opcode, operand } = characterTest(node, flags, builder);
  if (node.type === 'any') builder.emit(opcode);
  else builder.emit(opcode, operand);
}

/** The only node of a sequence, if it consumes exactly one character. */
export function singleCharacter(sequence: Sequence): CharacterNode | undefined {
  const [node] = sequence;
  return sequence.length === 1 && node !== undefined && isCharacter(node) ? node : undefined;
}

function isCharacter(node: Node): node is CharacterNode {
  return node.type === 'literal' || node.type === 'any' || node.type === 'set';
}
