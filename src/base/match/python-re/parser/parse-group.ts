import { Flag } from '../flags.ts';
import type { GroupNode, Node, Sequence } from '../syntax-tree.ts';
import { isIdentifier } from '../unicode/properties.ts';
import { parseCondition } from './parse-condition.ts';
import { isFlag, parseFlags } from './parse-flags.ts';
import type { ParserState } from './parser-state.ts';
import { pythonRepr } from './python-repr.ts';
import { tokenLength } from './tokenizer.ts';

export type GroupResult = Node | 'nothing' | 'pattern-flags';

/** Reads a group of which the opening parenthesis is taken already. */
export function parseGroup(state: ParserState, verbose: boolean): GroupResult {
  const { source } = state;
  const start = source.position - 1;
  if (!source.accept('?')) return parseCapture(state, start, verbose, undefined);
  const kind = source.take();
  switch (kind) {
    case undefined:
      throw source.error('unexpected end of pattern');
    case 'P':
      return parsePythonExtension(state, start, verbose);
    case ':':
      return plainGroup(parseBody(state, start, verbose));
    case '>':
      return { type: 'atomic', body: parseBody(state, start, verbose) };
    case '#':
      return skipComment(state, start);
    case '=':
    case '!':
      return { type: 'look', behind: false, negated: kind === '!', body: parseBody(state, start, verbose) };
    case '<':
      return parseLookbehind(state, start, verbose);
    case '(':
      return parseCondition(state, start, verbose);
  }
  if (isFlag(kind) || kind === '-') return parseFlagGroup(state, start, verbose, kind);
  throw source.error(`unknown extension ?${kind}`, tokenLength(kind) + 1);
}

function parsePythonExtension(state: ParserState, start: number, verbose: boolean): Node {
  const { source } = state;
  if (source.accept('<')) return parseCapture(state, start, verbose, parseName(state, '>'));
  if (source.accept('=')) return parseNamedReference(state);
  const character = source.take();
  if (character === undefined) throw source.error('unexpected end of pattern');
  throw source.error(`unknown extension ?P${character}`, tokenLength(character) + 2);
}

function parseName(state: ParserState, terminator: string): string {
  const { source } = state;
  const name = source.takeUntil(terminator, 'group name');
  if (isIdentifier(name)) return name;
  throw source.error(`bad character in group name ${pythonRepr(name)}`, tokenLength(name) + 1);
}

function parseNamedReference(state: ParserState): Node {
  const { source, groups } = state;
  const name = parseName(state, ')');
  const back = tokenLength(name) + 1;
  const group = groups.names.get(name);
  if (group === undefined) throw source.error(`unknown group name ${pythonRepr(name)}`, back);
  if (!groups.isClosed(group)) throw source.error('cannot refer to an open group', back);
  groups.checkLookbehindReference(group, source);
  return { type: 'backreference', group };
}

function parseCapture(
  state: ParserState,
  start: number,
  verbose: boolean,
  name: string | undefined,
): GroupNode {
  const index = state.groups.open(name, state.source);
  const body = parseBody(state, start, verbose);
  state.groups.close(index, body);
  return { type: 'group', index, addedFlags: 0, removedFlags: 0, body };
}

function parseLookbehind(state: ParserState, start: number, verbose: boolean): Node {
  const { source, groups } = state;
  const kind = source.take();
  if (kind === undefined) throw source.error('unexpected end of pattern');
  if (kind !== '=' && kind !== '!') {
    throw source.error(`unknown extension ?<${kind}`, tokenLength(kind) + 2);
  }
  const body = groups.insideLookbehind(() => parseBody(state, start, verbose));
  return { type: 'look', behind: true, negated: kind === '!', body };
}

function skipComment({ source }: ParserState, start: number): 'nothing' {
  for (;;) {
    const token = source.take();
    if (token === undefined) throw source.errorAt('missing ), unterminated comment', start);
    if (token === ')') return 'nothing';
  }
}

function parseFlagGroup(state: ParserState, start: number, verbose: boolean, first: string): GroupResult {
  const { scope, added, removed } = parseFlags(state.source, first);
  if (scope === 'pattern') {
    state.flags |= added;
    return 'pattern-flags';
  }
  const verboseInside = (verbose || (added & Flag.verbose) !== 0) && (removed & Flag.verbose) === 0;
  const body = parseBody(state, start, verboseInside);
  return { type: 'group', index: undefined, addedFlags: added, removedFlags: removed, body };
}

function plainGroup(body: Sequence): GroupNode {
  return { type: 'group', index: undefined, addedFlags: 0, removedFlags: 0, body };
}

function parseBody(state: ParserState, start: number, verbose: boolean): Sequence {
  const body = state.parseAlternation(verbose);
  state.expectGroupEnd(start);
  return body;
}
