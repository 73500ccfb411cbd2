import { Flag } from '../flags.ts';
import { PatternError } from '../pattern-error.ts';
import { isPlainGroup, type Node, type Sequence } from '../syntax-tree.ts';
import { GroupRegistry } from './group-registry.ts';
import { joinAlternatives } from './join-alternatives.ts';
import type { Width } from './measure-width.ts';
import { parseCharacterClass } from './parse-character-class.ts';
import { parseEscape } from './parse-escape.ts';
import { parseGroup } from './parse-group.ts';
import { parseQuantifier } from './parse-quantifier.ts';
import type { ParserState } from './parser-state.ts';
import { Tokenizer } from './tokenizer.ts';

export interface ParsedPattern {
  readonly body: Sequence;
  readonly flags: number;
  /** By group number; group 0 is the whole pattern and has none. */
  readonly groupWidths: readonly (Width | undefined)[];
  readonly groupNames: ReadonlyMap<string, number>;
}

/** Reads a pattern by the grammar of Python 3.11. */
export function parsePattern(pattern: string, flags = 0): ParsedPattern {
  const parser = new Parser(pattern, flags);
  const body = parser.parseTopLevel();
  const allFlags = withCharacterType(parser.flags);
  if (parser.source.next !== undefined) throw parser.source.error('unbalanced parenthesis');
  parser.groups.checkConditions(parser.source);
  return { body, flags: allFlags, groupWidths: parser.groups.widths, groupNames: parser.groups.names };
}

function withCharacterType(flags: number): number {
  if ((flags & Flag.ascii) === 0) return flags | Flag.unicode;
  if (flags & Flag.unicode) throw new PatternError('ASCII and UNICODE flags are incompatible');
  return flags;
}

/** Where CPython, called from a program's top level, runs into its recursion limit. */
const MAX_NESTING = 495;

const WHITESPACE = ' \t\n\r\v\f';

class Parser implements ParserState {
  readonly source: Tokenizer;
  readonly groups = new GroupRegistry();
  flags: number;
  #nesting = 0;

  constructor(pattern: string, flags: number) {
    this.flags = flags;
    this.source = new Tokenizer(pattern);
  }

  parseTopLevel(): Sequence {
    const alternatives = [this.#parseItems((this.flags & Flag.verbose) !== 0, true)];
    while (this.source.accept('|')) {
      alternatives.push(this.#parseItems((this.flags & Flag.verbose) !== 0, false));
    }
    return joinAlternatives(alternatives);
  }

  parseAlternation(verbose: boolean): Sequence {
    const alternatives = [this.parseSequence(verbose)];
    while (this.source.accept('|')) alternatives.push(this.parseSequence(verbose));
    return joinAlternatives(alternatives);
  }

  parseSequence(verbose: boolean): Sequence {
    if (this.#nesting === MAX_NESTING) throw new PatternError('maximum recursion depth exceeded');
    this.#nesting += 1;
    const sequence = this.#parseItems(verbose, false);
    this.#nesting -= 1;
    return sequence;
  }

  expectGroupEnd(start: number): void {
    if (!this.source.accept(')')) throw this.source.errorAt('missing ), unterminated subpattern', start);
  }

  #parseItems(startsVerbose: boolean, mayTakeFlags: boolean): Sequence {
    const { source } = this;
    const nodes: Node[] = [];
    let verbose = startsVerbose;
    for (;;) {
      const token = source.next;
      if (token === undefined || token === '|' || token === ')') break;
      source.take();
      if (verbose && this.#skipVerbose(token)) continue;
      if (token === '(') {
        const start = source.position - 1;
        const group = parseGroup(this, verbose);
        if (group === 'pattern-flags') {
          if (!mayTakeFlags || nodes.length > 0) {
            throw source.errorAt('global flags not at the start of the expression', start);
          }
          verbose = (this.flags & Flag.verbose) !== 0;
        } else if (group !== 'nothing') nodes.push(group);
      } else if (token === '*' || token === '+' || token === '?' || token === '{') {
        const repeat = parseQuantifier(source, token, nodes.at(-1));
        if (repeat === undefined) nodes.push(literal(token));
        else nodes[nodes.length - 1] = repeat;
      } else nodes.push(this.#parseCharacter(token));
    }
    return nodes.flatMap((node) => (isPlainGroup(node) ? node.body : [node]));
  }

  #skipVerbose(token: string): boolean {
    if (WHITESPACE.includes(token)) return true;
    if (token !== '#') return false;
    let skipped: string | undefined;
    do skipped = this.source.take();
    while (skipped !== undefined && skipped !== '\n');
    return true;
  }

  #parseCharacter(token: string): Node {
    if (token.startsWith('\\')) return parseEscape(this.source, token, this.groups);
    switch (token) {
      case '[':
        return parseCharacterClass(this.source);
      case '.':
        return { type: 'any' };
      case '^':
        return { type: 'anchor', kind: 'line-start' };
      case '$':
        return { type: 'anchor', kind: 'line-end' };
      default:
        return literal(token);
    }
  }
}

function literal(character: string): Node {
  return { type: 'literal', codePoint: character.codePointAt(0)!, negated: false };
}
