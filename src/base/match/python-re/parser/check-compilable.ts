import { Flag } from '../flags.ts';
import { PatternError } from '../pattern-error.ts';
import type { Node, Sequence } from '../syntax-tree.ts';
import { measureWidth } from './measure-width.ts';
import type { ParsedPattern } from './parse-pattern.ts';

/** Refuses what Python's parser lets pass and its compiler does not; such errors name no position. */
export function checkCompilable(pattern: ParsedPattern): void {
  checkSequence(pattern.body, pattern);
}

const MAX_LOOKBEHIND = 0xffff_ffff;

function checkSequence(sequence: Sequence, pattern: ParsedPattern): void {
  for (const node of sequence) checkNode(node, pattern);
}

function checkNode(node: Node, pattern: ParsedPattern): void {
  switch (node.type) {
    case 'branch':
      for (const alternative of node.alternatives) checkSequence(alternative, pattern);
      return;
    case 'conditional':
      checkSequence(node.yes, pattern);
      checkSequence(node.no ?? [], pattern);
      return;
    case 'repeat':
      if (pattern.flags & Flag.template) {
        throw new PatternError(`internal: unsupported template operator ${REPEAT_OPERATORS[node.mode]}`);
      }
      checkSequence(node.body, pattern);
      return;
    case 'look':
      if (node.behind) checkLookbehind(node.body, pattern);
      checkSequence(node.body, pattern);
      return;
    case 'group':
    case 'atomic':
      checkSequence(node.body, pattern);
  }
}

const REPEAT_OPERATORS = { greedy: 'MAX_REPEAT', lazy: 'MIN_REPEAT', possessive: 'POSSESSIVE_REPEAT' };

function checkLookbehind(body: Sequence, pattern: ParsedPattern): void {
  const { min, max } = measureWidth(body, pattern.groupWidths);
  if (min > MAX_LOOKBEHIND) throw new PatternError('looks too much behind');
  if (min !== max) throw new PatternError('look-behind requires fixed-width pattern');
}
