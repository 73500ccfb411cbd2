import { combineFlags, Flag } from '../python-re/flags.ts';
import { parsePattern } from '../python-re/parser/parse-pattern.ts';
import { characterPredicate, type CharacterPredicate } from '../python-re/program/character-predicate.ts';
import {
  MAX_REPEAT,
  type AnchorKind,
  type CharacterNode,
  type Node,
  type RepeatNode,
  type Sequence,
} from '../python-re/syntax-tree.ts';
import type { LiteralRule, PatternRule } from '../../model/text-rule.ts';
import { foldCase } from '../fold-case.ts';
import { TooComplex } from './formulas.ts';

export type State =
  | { readonly type: 'accept' }
  | { readonly type: 'character'; readonly fits: CharacterPredicate; readonly next: number }
  | { readonly type: 'split'; readonly next: readonly number[] }
  | { readonly type: 'anchor'; readonly anchor: Anchor; readonly next: number }
  | { readonly type: 'look'; readonly negated: boolean; readonly start: number; readonly next: number }
  | { readonly type: 'behind'; readonly negated: boolean; readonly index: number; readonly next: number };

export interface Anchor {
  readonly kind: AnchorKind;
  readonly isMultiline: boolean;
  readonly isAscii: boolean;
  readonly isJs: boolean;
}

/** Where a match may start, and its first state. */
export interface Search {
  readonly start: number;
  readonly isAnywhere: boolean;
}

/** The states of several searches, built from patterns and texts. Anything that is not regular is too complex. */
export class Automaton {
  readonly states: State[] = [{ type: 'accept' }];
  /** The start states of lookbehinds. */
  readonly behinds: number[] = [];
  /** Characters at which predicates may change: what an alphabet needs. */
  readonly codePoints = new Set<number>();

  pattern({ pattern, dialect = 'python' }: PatternRule): Search {
    const isJs = dialect === 'js';
    // Constructs with another meaning in JavaScript.
    if (isJs && /\\[AZa]|\(\?P|\(\?#/.test(pattern)) throw new TooComplex('a pattern of JavaScript');
    const { body, flags } = parsePattern(pattern);
    const start = this.sequence(body, ACCEPT, { flags: isJs ? asciiFlags(flags) : flags, isJs });
    return { start, isAnywhere: true };
  }

  literal({ text, at, ignoresCase = false }: LiteralRule): Search {
    const isAtEnd = at === 'end' || at === 'whole';
    let next = isAtEnd ? this.add({ type: 'anchor', anchor: STRING_END, next: ACCEPT }) : ACCEPT;
    for (const character of [...text].toReversed()) {
      const codePoint = character.codePointAt(0)!;
      const folded = foldCase(character);
      const fits: CharacterPredicate = ignoresCase
        ? (other) => foldCase(String.fromCodePoint(other)) === folded
        : (other) => other === codePoint;
      for (const own of [character, character.toLowerCase(), character.toUpperCase()])
        this.codePoints.add(own.codePointAt(0)!);
      next = this.add({ type: 'character', fits, next });
    }
    return { start: next, isAnywhere: at === 'anywhere' || at === 'end' };
  }

  private sequence(nodes: Sequence, next: number, context: Context): number {
    return nodes.reduceRight((after, node) => this.node(node, after, context), next);
  }

  private node(node: Node, next: number, context: Context): number {
    switch (node.type) {
      case 'literal':
      case 'any':
      case 'set':
        this.note(node);
        return this.add({ type: 'character', fits: characterPredicate(node, context.flags), next });
      case 'anchor':
        return this.anchor(node.kind, next, context);
      case 'branch':
        return this.split(node.alternatives.map((body) => this.sequence(body, next, context)));
      case 'repeat':
        return this.repeat(node, next, context);
      case 'group': {
        const flags = combineFlags(context.flags, node.addedFlags, node.removedFlags);
        return this.sequence(node.body, next, { ...context, flags });
      }
      case 'look':
        return node.behind
          ? this.behind(node.body, { next, negated: node.negated }, context)
          : this.look(node.body, { next, negated: node.negated }, context);
      default:
        throw new TooComplex(`no automaton for ${node.type}`);
    }
  }

  private anchor(kind: AnchorKind, next: number, { flags, isJs, isBehind }: Context): number {
    if (isBehind === true && kind !== 'string-start' && kind !== 'line-start')
      throw new TooComplex('an anchor behind');
    const anchor = {
      kind,
      isMultiline: (flags & Flag.multiline) !== 0,
      isAscii: (flags & Flag.unicode) === 0,
      isJs,
    };
    return this.add({ type: 'anchor', anchor, next });
  }

  private look(body: Sequence, { next, negated }: Look, context: Context): number {
    if (context.isBehind === true) throw new TooComplex('looking around behind');
    return this.add({ type: 'look', negated, start: this.sequence(body, ACCEPT, context), next });
  }

  private behind(body: Sequence, { next, negated }: Look, context: Context): number {
    if (context.isBehind === true) throw new TooComplex('looking around behind');
    const index = this.behinds.push(this.sequence(body, ACCEPT, { ...context, isBehind: true })) - 1;
    return this.add({ type: 'behind', negated, index, next });
  }

  private repeat({ mode, min, max, body }: RepeatNode, next: number, context: Context): number {
    if (mode === 'possessive') throw new TooComplex('a possessive repetition');
    let start = next;
    if (max === MAX_REPEAT) {
      const loop = this.add({ type: 'split', next: [] });
      this.states[loop] = { type: 'split', next: [this.sequence(body, loop, context), next] };
      start = loop;
    } else
      for (let time = min; time < max; time++)
        start = this.split([this.sequence(body, start, context), next]);
    for (let time = 0; time < min; time++) start = this.sequence(body, start, context);
    return start;
  }

  private split(next: readonly number[]): number {
    return this.add({ type: 'split', next });
  }

  private add(state: State): number {
    if (this.states.length >= MOST_STATES) throw new TooComplex('too many states');
    return this.states.push(state) - 1;
  }

  private note(node: CharacterNode): void {
    if (node.type === 'any') return;
    if (node.type === 'literal') return this.noteAround(node.codePoint, node.codePoint);
    for (const item of node.items) {
      if (item.type === 'character') this.noteAround(item.codePoint, item.codePoint);
      else if (item.type === 'range') this.noteAround(item.low, item.high);
    }
  }

  private noteAround(low: number, high: number): void {
    for (const codePoint of [low - 1, low, low + 1, (low + high) >> 1, high - 1, high, high + 1]) {
      if (codePoint < 0 || codePoint > 0x10ffff) continue;
      this.codePoints.add(codePoint);
      if (codePoint >= 0xd800 && codePoint <= 0xdfff) continue;
      const character = String.fromCodePoint(codePoint);
      this.codePoints.add(character.toLowerCase().codePointAt(0)!);
      this.codePoints.add(character.toUpperCase().codePointAt(0)!);
    }
  }
}

const ACCEPT = 0;

const MOST_STATES = 4000;

interface Context {
  readonly flags: number;
  readonly isJs: boolean;
  readonly isBehind?: boolean;
}

interface Look {
  readonly next: number;
  readonly negated: boolean;
}

const STRING_END: Anchor = { kind: 'string-end', isMultiline: false, isAscii: false, isJs: false };

/** In JavaScript digits and word characters are those of ASCII. */
function asciiFlags(flags: number): number {
  return (flags & ~Flag.unicode) | Flag.ascii;
}
