import { combineFlags, Flag, TYPE_FLAGS } from '../flags.ts';
import { measureWidth } from '../parser/measure-width.ts';
import type { ParsedPattern } from '../parser/parse-pattern.ts';
import type { Node, Sequence } from '../syntax-tree.ts';
import { characterClass } from './character-class.ts';
import { isCasedItem, letterCaseOf } from './character-predicate.ts';
import { firstFilter } from './first-filter.ts';
import { leadingRun } from './leading-run.ts';
import { NONE } from './opcodes.ts';
import type { ProgramBuilder } from './program-builder.ts';
import type { StartCondition } from './program.ts';
import { isPlainLiteral, requiredRuns } from './required-runs.ts';

export function startCondition(pattern: ParsedPattern, builder: ProgramBuilder): StartCondition {
  const { body, flags, groupWidths } = pattern;
  return {
    prefix: literalPrefix(body, flags).text,
    ...requiredRuns(body, flags, builder),
    filter: builder.filterNumber(firstFilter(body, flags, undefined, builder.classOf)),
    characters: strayCharacters(pattern, builder),
    isAnchored: isAnchored(body, flags),
    leadingRun: leadingRun(pattern, builder),
    minWidth: measureWidth(body, groupWidths).min,
  };
}

interface Prefix {
  readonly text: string;
  /** The sequence is nothing but its prefix. */
  readonly isWhole: boolean;
}

function literalPrefix(sequence: Sequence, flags: number): Prefix {
  let text = '';
  for (const node of sequence) {
    if (isPlainLiteral(node, flags)) {
      text += String.fromCodePoint(node.codePoint);
    } else if (node.type === 'group') {
      const inner = literalPrefix(node.body, combineFlags(flags, node.addedFlags, node.removedFlags));
      text += inner.text;
      if (!inner.isWhole) return { text, isWhole: false };
    } else return { text, isWhole: false };
  }
  return { text, isWhole: true };
}

/**
 * CPython looks ahead for the set that a pattern begins with, and there reads \w and its like by
 * the flags of the whole pattern, even where a group around the set has changed them.
 */
function strayCharacters({ body, flags, groupWidths }: ParsedPattern, builder: ProgramBuilder): number {
  const { node, flags: innerFlags } = firstNode(body, flags);
  if (node?.type !== 'set' || (innerFlags & TYPE_FLAGS) === (flags & TYPE_FLAGS)) return NONE;
  if (measureWidth(body, groupWidths).min === 0) return NONE;
  if (!node.items.some((item) => item.type === 'category')) return NONE;
  const letterCase = letterCaseOf(innerFlags);
  if (letterCase !== undefined && node.items.some((item) => isCasedItem(item, letterCase))) return NONE;
  return builder.classNumber(characterClass({ ...node }, flags & ~Flag.ignoreCase));
}

function firstNode(sequence: Sequence, flags: number): { node: Node | undefined; flags: number } {
  const [node] = sequence;
  if (node?.type !== 'group') return { node, flags };
  return firstNode(node.body, combineFlags(flags, node.addedFlags, node.removedFlags));
}

function isAnchored(sequence: Sequence, flags: number): boolean {
  const { node, flags: innerFlags } = firstNode(sequence, flags);
  if (node?.type !== 'anchor') return false;
  return node.kind === 'string-start' || (node.kind === 'line-start' && (innerFlags & Flag.multiline) === 0);
}
