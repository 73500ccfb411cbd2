import { combineFlags } from '../flags.ts';
import type { Node, Sequence } from '../syntax-tree.ts';
import { letterCaseOf } from './character-predicate.ts';

/** The longest text, of equal ones the last, that every match is known to contain; may be empty. */
export function requiredText(sequence: Sequence, flags: number): string {
  const runs = [''];
  collectRuns(sequence, flags, runs);
  return runs.reduce((longest, run) => (run.length >= longest.length ? run : longest), '');
}

/** Whether a literal is the same in every match, and the same as a part of a string. */
export function isPlainLiteral(node: Node, flags: number): node is Extract<Node, { type: 'literal' }> {
  if (node.type !== 'literal' || node.negated) return false;
  // A lone surrogate would also be found inside a pair.
  const isSurrogate = node.codePoint >= 0xd800 && node.codePoint <= 0xdfff;
  return !isSurrogate && letterCaseOf(flags)?.isCased(node.codePoint) !== true;
}

/** Adds literals to the last run, and begins a new one wherever something else may come between. */
function collectRuns(sequence: Sequence, flags: number, runs: string[]): void {
  for (const node of sequence) {
    if (isPlainLiteral(node, flags)) runs[runs.length - 1] += String.fromCodePoint(node.codePoint);
    else if (node.type === 'group') {
      collectRuns(node.body, combineFlags(flags, node.addedFlags, node.removedFlags), runs);
    } else if (node.type === 'repeat' && node.min > 0) {
      runs.push('');
      collectRuns(node.body, flags, runs);
      runs.push('');
    } else if (node.type !== 'anchor') runs.push('');
  }
}
