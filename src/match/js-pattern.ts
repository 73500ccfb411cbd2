/** How a JavaScript pattern can backtrack. */
export interface JsPatternShape {
  /** A repetition of something that can itself match one text in several ways. */
  readonly isExponential: boolean;
  /** Repetitions whose end the next character does not settle. */
  readonly degree: number;
  /** In how many ways the bounded repetitions and alternatives can be tried. */
  readonly factor: number;
}

/** Reads the shape of a pattern that RegExp has accepted. */
export function readJsPattern(pattern: string, flags: string): JsPatternShape {
  const { isExponential, degree, factor, hasRepetition } = new ShapeReader(pattern, flags).read();
  return { isExponential, degree: hasRepetition ? Math.max(1, degree) : 0, factor };
}

interface Shape extends JsPatternShape {
  readonly hasRepetition: boolean;
  /** It can match the same text in more than one way. */
  readonly isAmbiguous: boolean;
}

interface Item {
  readonly shape: Shape;
  /** Source of an atom of one character; undefined for a group or an anchor. */
  readonly atom?: string;
  /** The character, for a literal. */
  readonly literal?: string;
  readonly min: number;
  readonly max: number;
}

const PLAIN: Shape = { isExponential: false, degree: 0, factor: 1, hasRepetition: false, isAmbiguous: false };

/** A repetition with more rounds than this counts as one without end. */
const MANY = 16;

class ShapeReader {
  private position = 0;
  private readonly pattern: string;
  private readonly flags: string;

  constructor(pattern: string, flags: string) {
    this.pattern = pattern;
    this.flags = flags;
  }

  read(): Shape {
    return this.alternatives({ isWhole: true });
  }

  private alternatives({ isWhole }: { readonly isWhole: boolean }): Shape {
    const branches: Item[][] = [[]];
    while (this.position < this.pattern.length && this.pattern[this.position] !== ')') {
      if (this.pattern[this.position] === '|') {
        this.position++;
        branches.push([]);
      } else branches.at(-1)!.push(this.item());
    }
    this.position++;
    const shapes = branches.map((items) => this.sequence(items, isWhole));
    const starts = branches.map((items) => (items[0]?.min === 1 ? items[0].literal?.toLowerCase() : undefined));
    const isSettled = !starts.includes(undefined) && new Set(starts).size === starts.length;
    return {
      isExponential: shapes.some((shape) => shape.isExponential),
      degree: Math.max(...shapes.map((shape) => shape.degree)),
      factor: shapes.reduce((sum, shape) => sum + shape.factor, 0),
      hasRepetition: shapes.some((shape) => shape.hasRepetition),
      isAmbiguous: shapes.some((shape) => shape.isAmbiguous) || (branches.length > 1 && !isSettled),
    };
  }

  private sequence(items: readonly Item[], isWhole: boolean): Shape {
    let shape = PLAIN;
    for (const [index, item] of items.entries()) {
      const next = items[index + 1];
      // What ends the whole pattern need not be tried twice; what the next character ends cannot end elsewhere.
      const isSettled =
        next === undefined ? isWhole : item.atom !== undefined && next.min > 0 && this.excludes(item.atom, next.literal);
      shape = join(shape, repeated(item, isSettled));
    }
    return shape;
  }

  private excludes(atom: string, literal: string | undefined): boolean {
    return literal !== undefined && !new RegExp(`^(?:${atom})$`, this.flags).test(literal);
  }

  private item(): Item {
    const start = this.position;
    const character = this.pattern[start]!;
    if (character === '(') return this.quantified({ shape: this.group() });
    if (character === '^' || character === '$') {
      this.position++;
      return { shape: PLAIN, min: 1, max: 1 };
    }
    if (character === '\\') ESCAPE.lastIndex = start;
    this.position = character === '[' ? this.endOfClass(start) : start + (character === '\\' ? ESCAPE.exec(this.pattern)![0].length : 1);
    const atom = this.pattern.slice(start, this.position);
    if (/^\\(?:[bBk]|[1-9])/.test(atom)) return this.quantified({ shape: PLAIN });
    const literal = /^[^\\[.]$/.test(atom) ? atom : /^\\[^\w]$/.test(atom) ? atom[1] : undefined;
    return this.quantified({ shape: PLAIN, atom, ...(literal === undefined ? {} : { literal }) });
  }

  private group(): Shape {
    GROUP.lastIndex = this.position;
    this.position += GROUP.exec(this.pattern)![0].length;
    return this.alternatives({ isWhole: false });
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

  private quantified(item: Omit<Item, 'min' | 'max'>): Item {
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
const ESCAPE = /\\(?:u\{[^}]*\}|[pPq]\{[^}]*\}|k<[^>]*>|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[1-9]\d*|[^])/y;
const QUANTIFIER = /(?:(?<sign>[*+?])|\{(?<from>\d+)(?:(?<comma>,)(?<to>\d*))?\})\??/y;

function repeated({ shape, min, max }: Item, isSettled: boolean): Shape {
  if (max === 1 && min === 1) return shape;
  const { isExponential, degree, factor, isAmbiguous } = shape;
  if (max > MANY) {
    const isFree = !isSettled;
    return { isExponential: isExponential || isAmbiguous, degree: degree + (isFree ? 1 : 0), factor, hasRepetition: true, isAmbiguous: isFree };
  }
  return {
    isExponential,
    degree: degree * max,
    factor: (isSettled ? 1 : max - min + 1) * factor ** max,
    hasRepetition: shape.hasRepetition,
    isAmbiguous: isAmbiguous || (min !== max && !isSettled),
  };
}

function join(a: Shape, b: Shape): Shape {
  return {
    isExponential: a.isExponential || b.isExponential,
    degree: a.degree + b.degree,
    factor: a.factor * b.factor,
    hasRepetition: a.hasRepetition || b.hasRepetition,
    isAmbiguous: a.isAmbiguous || b.isAmbiguous,
  };
}
