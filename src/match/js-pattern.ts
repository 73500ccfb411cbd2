/** A part of a JavaScript pattern, and how often it is repeated. */
export interface PatternItem {
  /** The alternatives of a group. */
  readonly branches?: readonly (readonly PatternItem[])[];
  /** It is a lookahead or lookbehind group. */
  readonly isLook?: boolean;
  /** The source of an atom of one character. */
  readonly atom?: string;
  /** The character, for an atom that is one. */
  readonly literal?: string;
  readonly min: number;
  readonly max: number;
}

/** The alternatives of a pattern that RegExp has accepted. It is parsed only as far as its repetitions need it. */
export function parseJsPattern(pattern: string, flags: string): readonly (readonly PatternItem[])[] {
  return new PatternParser(pattern, flags).branches();
}

class PatternParser {
  private position = 0;
  private readonly pattern: string;
  private readonly flags: string;

  constructor(pattern: string, flags: string) {
    this.pattern = pattern;
    this.flags = flags;
  }

  branches(): readonly (readonly PatternItem[])[] {
    const branches: PatternItem[][] = [[]];
    while (this.position < this.pattern.length && this.pattern[this.position] !== ')') {
      if (this.pattern[this.position] === '|') {
        this.position++;
        branches.push([]);
      } else branches.at(-1)!.push(this.item());
    }
    this.position++;
    return branches;
  }

  private item(): PatternItem {
    const start = this.position;
    const character = this.pattern[start]!;
    if (character === '(') return this.group();
    this.position = this.endOfAtom(start, character);
    const atom = this.pattern.slice(start, this.position);
    if (atom === '^' || atom === '$') return { min: 1, max: 1 };
    if (/^\\(?:[bBk]|[1-9])/.test(atom)) return this.quantified({});
    const literal = /^[^\\[.]$/.test(atom) ? atom : /^\\[^\w]$/.test(atom) ? atom[1] : undefined;
    return this.quantified({ atom, ...(literal === undefined ? {} : { literal }) });
  }

  private group(): PatternItem {
    GROUP.lastIndex = this.position;
    const [opening] = GROUP.exec(this.pattern)!;
    this.position += opening.length;
    return this.quantified({ branches: this.branches(), isLook: /[=!]$/.test(opening) });
  }

  private endOfAtom(start: number, character: string): number {
    if (character === '[') return this.endOfClass(start);
    if (character !== '\\') return start + 1;
    ESCAPE.lastIndex = start;
    return start + ESCAPE.exec(this.pattern)![0].length;
  }

  private endOfClass(start: number): number {
    let depth = 0;
    for (let index = start; index < this.pattern.length; index++) {
      const character = this.pattern[index];
      if (character === '\\') index++;
      else if (character === '[' && (depth === 0 || this.flags.includes('v'))) depth++;
      else if (character === ']' && --depth === 0) return index + 1;
    }
    return this.pattern.length;
  }

  private quantified(item: Omit<PatternItem, 'min' | 'max'>): PatternItem {
    QUANTIFIER.lastIndex = this.position;
    const match = QUANTIFIER.exec(this.pattern);
    if (match === null) return { ...item, min: 1, max: 1 };
    this.position += match[0].length;
    const { sign, from, comma, to } = match.groups as Readonly<Record<string, string | undefined>>;
    if (sign !== undefined) return { ...item, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(from);
    return { ...item, min, max: comma === undefined ? min : to === '' ? Infinity : Number(to) };
  }
}

const GROUP = /\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/y;
const ESCAPE =
  /\\(?:u\{[^}]*\}|[pPq]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[1-9]\d*|[^])/y;
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<from>\d+)(?:(?<comma>,)(?<to>\d*))?\})\??/y;
