import type { Node } from '../syntax-tree.ts';
import { isIdentifier } from '../unicode/properties.ts';
import type { ParserState } from './parser-state.ts';
import { pythonInteger } from './python-integer.ts';
import { pythonRepr } from './python-repr.ts';
import { tokenLength } from './tokenizer.ts';

/** Reads `(?(group)yes|no)` from the group's name or number on. */
export function parseCondition(state: ParserState, start: number, verbose: boolean): Node {
  const { source, groups } = state;
  const group = parseGroupReference(state);
  groups.checkLookbehindReference(group, source);
  const yes = state.parseSequence(verbose);
  const no = source.accept('|') ? state.parseSequence(verbose) : undefined;
  if (no !== undefined && source.next === '|') {
    throw source.error('conditional backref with more than two branches');
  }
  state.expectGroupEnd(start);
  return { type: 'conditional', group, yes, no };
}

const MAX_GROUPS = 0x3fff_ffffn;

function parseGroupReference({ source, groups }: ParserState): number {
  const name = source.takeUntil(')', 'group name');
  const back = tokenLength(name) + 1;
  if (isIdentifier(name)) {
    const group = groups.names.get(name);
    if (group === undefined) throw source.error(`unknown group name ${pythonRepr(name)}`, back);
    return group;
  }
  const index = pythonInteger(name);
  if (index === undefined || index < 0n) {
    throw source.error(`bad character in group name ${pythonRepr(name)}`, back);
  }
  if (index === 0n) throw source.error('bad group number', back);
  if (index >= MAX_GROUPS) throw source.error(`invalid group reference ${index}`, back);
  groups.noteCondition(Number(index), source.position - back);
  return Number(index);
}
