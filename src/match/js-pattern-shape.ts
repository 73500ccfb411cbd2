import { parseJsPattern, type PatternItem } from './js-pattern.ts';

/** How a JavaScript pattern can backtrack. */
export interface JsPatternShape {
  /** A repetition of something that can itself match one text in several ways. */
  readonly isExponential: boolean;
  /** How many repetitions can end in several places, each in as many as the text has characters. */
  readonly degree: number;
  /** In how many ways the bounded repetitions and alternatives can be tried. */
  readonly factor: number;
}

/** The shape of a pattern that RegExp has accepted. */
export function jsPatternShape(pattern: string, flags: string): JsPatternShape {
  const { isExponential, degree, factor, hasSettled } = shapeOf(parseJsPattern(pattern, flags), {
    next: 'end',
    flags,
  });
  // Repetitions with a fixed end are processed one after the other: together they cost as much as one free one.
  return { isExponential, degree: degree + (hasSettled ? 1 : 0), factor };
}

interface Shape extends JsPatternShape {
  /** It has an unbounded repetition that can stop in one place only. */
  readonly hasSettled: boolean;
  /** It can match the same text in more than one way. */
  readonly isAmbiguous: boolean;
}

const PLAIN: Shape = { isExponential: false, degree: 0, factor: 1, hasSettled: false, isAmbiguous: false };

/** A repetition with more rounds than this counts as unbounded. */
const MANY = 16;

interface Surroundings {
  /** What follows; undefined if anything may. */
  readonly next: PatternItem | 'end' | undefined;
  readonly flags: string;
}

function shapeOf(branches: readonly (readonly PatternItem[])[], around: Surroundings): Shape {
  const shapes = branches.map((items) => {
    return items.reduce((shape, item, index) => {
      return join(shape, repeatedShape(item, { ...around, next: items[index + 1] ?? around.next }));
    }, PLAIN);
  });
  const starts = branches.map(([first]) => (first?.min === 1 ? first.literal?.toLowerCase() : undefined));
  const isSettled = !starts.includes(undefined) && new Set(starts).size === starts.length;
  return {
    isExponential: shapes.some((shape) => shape.isExponential),
    degree: Math.max(...shapes.map((shape) => shape.degree)),
    factor: shapes.reduce((sum, shape) => sum + shape.factor, 0),
    hasSettled: shapes.some((shape) => shape.hasSettled),
    isAmbiguous: shapes.some((shape) => shape.isAmbiguous) || (branches.length > 1 && !isSettled),
  };
}

function repeatedShape(item: PatternItem, around: Surroundings): Shape {
  const { branches, min, max, isLook = false } = item;
  const isOnce = min === 1 && max === 1;
  const inner =
    branches === undefined
      ? PLAIN
      : shapeOf(branches, { ...around, next: isOnce && !isLook ? around.next : undefined });
  if (isOnce) return inner;
  const end = endOf(item, around);
  const isFree = end === 'free';
  if (max > MANY) {
    return {
      isExponential: inner.isExponential || inner.isAmbiguous,
      degree: inner.degree + (isFree ? 1 : 0),
      factor: inner.factor,
      hasSettled: inner.hasSettled || end === 'settled',
      isAmbiguous: isFree,
    };
  }
  return {
    isExponential: inner.isExponential,
    degree: inner.degree * max,
    factor: (isFree ? max - min + 1 : 1) * inner.factor ** max,
    hasSettled: inner.hasSettled,
    isAmbiguous: inner.isAmbiguous || (min !== max && isFree),
  };
}

/** The end of the whole pattern is never retried; a repetition that the next character ends cannot end elsewhere. */
function endOf({ atom }: PatternItem, { next, flags }: Surroundings): 'free' | 'settled' | 'final' {
  if (next === 'end') return 'final';
  if (atom === undefined || next?.literal === undefined || next.min === 0) return 'free';
  return new RegExp(`^(?:${atom})$`, flags).test(next.literal) ? 'free' : 'settled';
}

function join(a: Shape, b: Shape): Shape {
  return {
    isExponential: a.isExponential || b.isExponential,
    degree: a.degree + b.degree,
    factor: a.factor * b.factor,
    hasSettled: a.hasSettled || b.hasSettled,
    isAmbiguous: a.isAmbiguous || b.isAmbiguous,
  };
}
