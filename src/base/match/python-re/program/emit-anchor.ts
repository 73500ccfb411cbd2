import { Flag } from '../flags.ts';
import type { AnchorKind, CharacterNode } from '../syntax-tree.ts';
import * as op from './opcodes.ts';
import type { ProgramBuilder } from './program-builder.ts';

export function emitAnchor(kind: AnchorKind, flags: number, builder: ProgramBuilder): void {
  const isMultiline = (flags & Flag.multiline) !== 0;
  switch (kind) {
    case 'string-start':
      builder.emit(op.STRING_START, 0, 0);
      return;
    case 'string-end':
      builder.emit(op.STRING_END, 0, 0);
      return;
    case 'line-start':
      builder.emit(isMultiline ? op.LINE_START : op.STRING_START, 0, 0);
      return;
    case 'line-end':
      builder.emit(isMultiline ? op.LINE_END : op.FINAL_END, 0, 0);
      return;
    case 'word-boundary':
    case 'not-word-boundary': {
      const word = flags & Flag.unicode ? UNICODE_WORD : ASCII_WORD;
      const characters = builder.classOf(word, flags & Flag.unicode);
      builder.emit(op.WORD_BOUNDARY, builder.classNumber(characters), kind === 'word-boundary' ? 1 : 0);
    }
  }
}

const UNICODE_WORD = wordNode();
const ASCII_WORD = wordNode();

function wordNode(): CharacterNode {
  return { type: 'set', negated: false, items: [{ type: 'category', category: 'word', negated: false }] };
}
