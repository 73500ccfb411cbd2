import type { LiteralRule, TextRule } from '../../model/text-rule.ts';
import { isAsciiWord, isWord, NEWLINE } from './alphabet.ts';
import type { Anchor, Automaton, Search } from './automaton.ts';
import { FALSE, Formulas, TooComplex, TRUE, type Formula } from './formulas.ts';

/** A position in a text: what came before it, as far as it matters, and what must hold for everything after it. */
export interface Position {
  readonly before: Before;
  readonly rest: Formula;
  /** Equal for positions that allow the same rest of the text. */
  readonly key: string;
}

interface Before {
  readonly isStart: boolean;
  /** The last character. */
  readonly isNewline: boolean;
  readonly isWord: boolean;
  readonly isAsciiWord: boolean;
  /** For each lookbehind: its states, and whether it just ended. */
  readonly behinds: readonly Behind[];
}

interface Behind {
  readonly alive: readonly number[];
  readonly holds: boolean;
}

/** Statements about the rest of a text; states of the automaton are the numbers from 0 on. */
const IS_EMPTY = -1;
const IS_NEWLINE = -2;
const ENDS_OR_BREAKS = -3;
const BEGINS_WITH_WORD = -4;
const BEGINS_WITH_ASCII_WORD = -5;
/** Below that number: a match of a search starts later. */
const LATER = -10;

/** Formulas about the rest of a text, and how each character changes them. */
export class Suffixes {
  private readonly formulas = new Formulas(MOST_STEPS);
  private readonly automaton: Automaton;
  private readonly searches: Search[] = [];
  private readonly numbers = new Map<TextRule, number>();
  private readonly rule: TextRule;
  private closuresLeft = MOST_STEPS;

  constructor(automaton: Automaton, rule: TextRule) {
    this.automaton = automaton;
    this.rule = this.prepare(rule);
  }

  start(): Position {
    const nothing = { isStart: true, isNewline: false, isWord: false, isAsciiWord: false };
    const first = { ...nothing, behinds: [] };
    const behinds = this.automaton.behinds.map((start) => this.behindAt([start], first));
    const before = { ...nothing, behinds };
    return this.place(before, this.wanted(this.rule, before));
  }

  /** The position after one more character; undefined if nothing can follow there. */
  after({ before: last, rest }: Position, codePoint: number): Position | undefined {
    const isNewline = codePoint === NEWLINE;
    const next = {
      isStart: false,
      isNewline,
      isWord: isWord(codePoint),
      isAsciiWord: isAsciiWord(codePoint),
      behinds: [],
    };
    const behinds = last.behinds.map(({ alive }, index) => {
      const moved = alive.flatMap((state) => this.step(state, codePoint));
      return this.behindAt([...moved, this.automaton.behinds[index]!], next);
    });
    const before = { ...next, behinds };
    const formula = this.formulas.replace(rest, (atom) => this.advance(atom, codePoint, before));
    return formula === FALSE ? undefined : this.place(before, formula);
  }

  /** Whether the text may end here. */
  mayEnd({ rest }: Position): boolean {
    const atEnd = this.formulas.replace(rest, (atom) =>
      atom === IS_EMPTY || atom === ENDS_OR_BREAKS ? TRUE : FALSE,
    );
    return atEnd === TRUE;
  }

  private place(before: Before, rest: Formula): Position {
    const { isStart, isNewline, isWord: wide, isAsciiWord: ascii, behinds } = before;
    const flags = [isStart, isNewline, wide, ascii].map(Number).join('');
    const alive = behinds.map((behind) => `${behind.alive.join(',')}${behind.holds ? '!' : ''}`).join(';');
    return { before, rest, key: `${flags} ${alive} ${rest}` };
  }

  /** Searches get their number once: rules are evaluated again at every character. */
  private prepare(rule: TextRule): TextRule {
    if (rule.type === 'not') return { type: 'not', rule: this.prepare(rule.rule) };
    if (rule.type === 'all' || rule.type === 'any')
      return { type: rule.type, rules: rule.rules.map((inner) => this.prepare(inner)) };
    const search =
      rule.type === 'pattern' ? this.automaton.pattern(rule) : this.automaton.literal(rule as LiteralRule);
    this.numbers.set(rule, this.searches.push(search) - 1);
    return rule;
  }

  private wanted(rule: TextRule, before: Before): Formula {
    switch (rule.type) {
      case 'not':
        return this.formulas.not(this.wanted(rule.rule, before));
      case 'all':
        return this.formulas.and(rule.rules.map((inner) => this.wanted(inner, before)));
      case 'any':
        return this.formulas.or(rule.rules.map((inner) => this.wanted(inner, before)));
      default:
        return this.searchFrom(this.numbers.get(rule)!, before);
    }
  }

  private searchFrom(number: number, before: Before): Formula {
    const { start, isAnywhere } = this.searches[number]!;
    const here = this.closure(start, before, new Set());
    return isAnywhere ? this.formulas.or([here, this.formulas.atom(LATER - number)]) : here;
  }

  /** What an atom says about the text after one more character. */
  private advance(atom: number, codePoint: number, before: Before): Formula {
    if (atom <= LATER) return this.searchFrom(LATER - atom, before);
    switch (atom) {
      case IS_EMPTY:
        return FALSE;
      case IS_NEWLINE:
        return codePoint === NEWLINE ? this.formulas.atom(IS_EMPTY) : FALSE;
      case ENDS_OR_BREAKS:
        return truth(codePoint === NEWLINE);
      case BEGINS_WITH_WORD:
        return truth(isWord(codePoint));
      case BEGINS_WITH_ASCII_WORD:
        return truth(isAsciiWord(codePoint));
      default: {
        const state = this.automaton.states[atom]!;
        return state.type === 'character' && state.fits(codePoint)
          ? this.closure(state.next, before, new Set())
          : FALSE;
      }
    }
  }

  /** What must follow for a state to reach its end. A cycle without a character leads nowhere. */
  private closure(id: number, before: Before, active: ReadonlySet<number>): Formula {
    if (this.closuresLeft-- === 0) throw new TooComplex('too many steps');
    const state = this.automaton.states[id]!;
    const { formulas } = this;
    if (state.type === 'accept') return TRUE;
    if (state.type === 'character') return formulas.atom(id);
    if (active.has(id)) return FALSE;
    const inner = new Set(active).add(id);
    if (state.type === 'split')
      return formulas.or(state.next.map((next) => this.closure(next, before, inner)));
    const condition = this.condition(state, before);
    return condition === FALSE ? FALSE : formulas.and([condition, this.closure(state.next, before, inner)]);
  }

  private condition(
    state: Extract<Automaton['states'][number], { readonly type: 'anchor' | 'look' | 'behind' }>,
    before: Before,
  ): Formula {
    if (state.type === 'anchor') return this.anchorHolds(state.anchor, before);
    if (state.type === 'behind') return truth(before.behinds[state.index]!.holds !== state.negated);
    const ahead = this.closure(state.start, before, new Set());
    return state.negated ? this.formulas.not(ahead) : ahead;
  }

  private anchorHolds({ kind, isMultiline, isAscii, isJs }: Anchor, before: Before): Formula {
    const { formulas } = this;
    switch (kind) {
      case 'string-start':
        return truth(before.isStart);
      case 'line-start':
        return truth(before.isStart || (isMultiline && before.isNewline));
      case 'string-end':
        return formulas.atom(IS_EMPTY);
      case 'line-end':
        if (isMultiline) return formulas.atom(ENDS_OR_BREAKS);
        return isJs
          ? formulas.atom(IS_EMPTY)
          : formulas.or([formulas.atom(IS_EMPTY), formulas.atom(IS_NEWLINE)]);
      default: {
        const wasWord = isAscii ? before.isAsciiWord : before.isWord;
        const comesWord = formulas.atom(isAscii ? BEGINS_WITH_ASCII_WORD : BEGINS_WITH_WORD);
        const isBoundary = wasWord ? formulas.not(comesWord) : comesWord;
        if (kind === 'word-boundary') return isBoundary;
        // In an empty text Python finds neither a word boundary nor its absence.
        return before.isStart && !isJs
          ? formulas.and([formulas.not(isBoundary), formulas.not(formulas.atom(IS_EMPTY))])
          : formulas.not(isBoundary);
      }
    }
  }

  /** The progress of a lookbehind in one of these states. */
  private behindAt(states: readonly number[], before: Omit<Before, 'behinds'>): Behind {
    const alive = new Set<number>();
    let holds = false;
    const seen = new Set<number>();
    const visit = (id: number): void => {
      if (seen.has(id)) return;
      seen.add(id);
      const state = this.automaton.states[id]!;
      if (state.type === 'accept') holds = true;
      else if (state.type === 'character') alive.add(id);
      else if (state.type === 'split') state.next.forEach(visit);
      else if (this.condition(state, { ...before, behinds: [] }) === TRUE) visit(state.next);
    };
    states.forEach(visit);
    return { alive: [...alive].toSorted((a, b) => a - b), holds };
  }

  private step(id: number, codePoint: number): readonly number[] {
    const state = this.automaton.states[id]!;
    return state.type === 'character' && state.fits(codePoint) ? [state.next] : [];
  }
}

const MOST_STEPS = 500_000;

function truth(holds: boolean): Formula {
  return holds ? TRUE : FALSE;
}
