import { jsPatternShape, type JsPatternShape } from './js-pattern-shape.ts';

/**
 * Searches with a JavaScript pattern. JavaScript's engine cannot be stopped once it runs, so a search that could
 * take too long is not started: the worst case is estimated from the shape of the pattern and the length of the
 * text. The estimate is conservative. Python patterns are searched with a step limit instead, and need no estimate.
 */
export function searchJs(pattern: string, flags: string): (subject: string) => boolean {
  const expression = new RegExp(pattern, flags);
  const shape = jsPatternShape(pattern, flags);
  return (subject) => {
    if (worstCase(shape, subject.length) > STEP_LIMIT) throw new CostlyPatternError(subject.length);
    // V8 compiles a pattern when it is used a second time; before that it is several times slower.
    expression.test('');
    return expression.test(subject);
  };
}

/** Roughly the steps that the engine takes in two or three seconds. */
const STEP_LIMIT = 3e8;

export class CostlyPatternError extends Error {
  override readonly name = 'CostlyPatternError';

  constructor(length: number) {
    super(
      `this JavaScript pattern may take too long on a text of ${length} characters ` +
        '(repetitions inside or beside repetitions); write it in the python dialect, whose searches are bounded',
    );
  }
}

/** `degree` free boundaries in a text of n characters, and a free start, can be placed in n^(degree+1)/(degree+1)! ways. */
function worstCase({ isExponential, degree, factor }: JsPatternShape, length: number): number {
  if (isExponential) return factor * 8 * 2 ** length;
  let ways = factor;
  for (let boundary = 1; boundary <= degree + 1; boundary++) ways *= Math.max(1, length / boundary);
  return ways;
}
