import { combineFlags } from '../flags.ts';
import type { CharacterNode, Node, Sequence } from '../syntax-tree.ts';
import { letterCaseOf } from './character-predicate.ts';
import type { ProgramBuilder } from './program-builder.ts';
import type { StartCondition } from './program.ts';

type Literal = Extract<Node, { type: 'literal' }>;

interface RequiredCharacter {
  readonly node: CharacterNode;
  readonly flags: number;
}

/** What every match contains, in this order: texts, and runs of classes for sets and where the case of letters is ignored. */
export function requiredRuns(
  sequence: Sequence,
  flags: number,
  builder: ProgramBuilder,
): Pick<StartCondition, 'requiredTexts' | 'requiredClasses'> {
  const runs: RequiredCharacter[][] = [[]];
  collectRuns(sequence, flags, runs);
  const requiredTexts: string[] = [];
  const requiredClasses: number[][] = [];
  for (const run of runs) {
    if (run.length === 0) continue;
    const text = plainText(run);
    if (text !== undefined) requiredTexts.push(text);
    else if (requiredClasses.length < MOST_RUNS) {
      const beginning = run.slice(0, LONGEST_RUN);
      requiredClasses.push(
        beginning.map(({ node, flags: inner }) => builder.classNumber(builder.classOf(node, inner))),
      );
    }
  }
  return { requiredTexts, requiredClasses };
}

/** Runs of classes are looked for one character at a time: these are enough to see that something is not there. */
const MOST_RUNS = 8;
const LONGEST_RUN = 16;

function plainText(run: readonly RequiredCharacter[]): string | undefined {
  let text = '';
  for (const { node, flags } of run) {
    if (!isPlainLiteral(node, flags)) return undefined;
    text += String.fromCodePoint(node.codePoint);
  }
  return text;
}

/** Whether a literal is the same in every match, and the same as a part of a string. */
export function isPlainLiteral(node: Node, flags: number): node is Literal {
  if (node.type !== 'literal' || node.negated) return false;
  // A lone surrogate would also be found inside a pair.
  const isSurrogate = node.codePoint >= 0xd800 && node.codePoint <= 0xdfff;
  return !isSurrogate && letterCaseOf(flags)?.isCased(node.codePoint) !== true;
}

/** Adds literals to the last run, and begins a new one wherever something else may come between. */
function collectRuns(sequence: Sequence, flags: number, runs: RequiredCharacter[][]): void {
  for (const node of sequence) {
    if (node.type === 'literal' && !node.negated) runs.at(-1)!.push({ node, flags });
    else if (node.type === 'set') runs.push([{ node, flags }], []);
    else if (node.type === 'group') {
      collectRuns(node.body, combineFlags(flags, node.addedFlags, node.removedFlags), runs);
    } else if (node.type === 'atomic') collectRuns(node.body, flags, runs);
    else if (node.type === 'repeat' && node.min > 0) {
      runs.push([]);
      collectRuns(node.body, flags, runs);
      runs.push([]);
    } else if (node.type !== 'anchor') runs.push([]);
  }
}
