import { combineFlags } from '../flags.ts';
import type { ParsedPattern } from '../parser/parse-pattern.ts';
import { MAX_REPEAT, type CharacterNode, type Node, type RepeatNode, type Sequence } from '../syntax-tree.ts';
import { singleCharacter } from './emit-character.ts';
import { NONE } from './opcodes.ts';
import type { ProgramBuilder } from './program-builder.ts';

/**
 * The classes of the runs without an upper limit that a pattern begins with, one for each alternative; none if it may begin
 * with something else. A match that begins behind a character of such a run could have begun one character earlier, so
 * when that failed nothing needs to be tried inside the run: `.*x` is tried at the starts of lines only.
 */
export function leadingRun({ body, flags }: ParsedPattern, builder: ProgramBuilder): readonly number[] {
  // What a group took decides about these, and it takes more when the match begins earlier.
  if (builder.lastMarkRegister !== NONE || body.some(looksBack)) return [];
  const runs: Run[] = [];
  if (!collectRuns(body, flags, runs)) return [];
  return [...new Set(runs.map((run) => builder.classNumber(builder.classOf(run.character, run.flags))))];
}

interface Run {
  readonly character: CharacterNode;
  readonly flags: number;
}

/** Gives whether every way to match begins with a run. */
function collectRuns(sequence: Sequence, flags: number, runs: Run[]): boolean {
  const [first] = sequence;
  switch (first?.type) {
    case 'group':
      return collectRuns(first.body, combineFlags(flags, first.addedFlags, first.removedFlags), runs);
    case 'branch':
      return first.alternatives.every((alternative) => collectRuns(alternative, flags, runs));
    case 'repeat':
      return collectRepeat(first, flags, runs);
    default:
      return false;
  }
}

function collectRepeat(node: RepeatNode, flags: number, runs: Run[]): boolean {
  const inner = wrappedCharacter(node.body, flags);
  if (inner === undefined)
    return node.min > 0 && node.mode !== 'possessive' && collectRuns(node.body, flags, runs);
  if (node.max !== MAX_REPEAT) return false;
  runs.push(inner);
  return true;
}

/** The character of `a`, `(a)` or `(?:(a))`. */
function wrappedCharacter(body: Sequence, flags: number): Run | undefined {
  const [node] = body;
  if (body.length === 1 && node?.type === 'group')
    return wrappedCharacter(node.body, combineFlags(flags, node.addedFlags, node.removedFlags));
  const character = singleCharacter(body);
  return character === undefined ? undefined : { character, flags };
}

function looksBack(node: Node): boolean {
  switch (node.type) {
    case 'backreference':
    case 'conditional':
      return true;
    case 'branch':
      return node.alternatives.some((alternative) => alternative.some(looksBack));
    case 'group':
    case 'atomic':
    case 'look':
    case 'repeat':
      return node.body.some(looksBack);
    default:
      return false;
  }
}
