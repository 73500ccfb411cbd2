import type { Json } from '../../../model/json.ts';
import { number } from '../../../schema/values.ts';
import { isNear } from '../../read-number.ts';
import type { Matcher } from '../matcher.ts';

type Numeric = number | bigint;

interface Bound {
  readonly name: string;
  readonly doc: string;
  holds(actual: Numeric, bound: Numeric): boolean;
  /** Whole numbers to add to the bound: to match, and not to. */
  readonly matching: readonly number[];
  readonly breaking: readonly number[];
}

/** A bound of numbers. A text that looks like a number is not one. */
function bound({ name, doc, holds, matching, breaking }: Bound): Matcher {
  return {
    name,
    doc,
    example: { [name]: 5 },
    schema: number(),
    accepts: () => ['number'],
    holds: (argument, actual) => isNumeric(actual) && holds(actual, argument as Numeric),
    satisfying: (argument) => matching.map((step) => plus(argument as Numeric, step)),
    breaking: (argument) => [...breaking.map((step) => plus(argument as Numeric, step)), 'text'],
  };
}

// Comparing a bigint with a number is exact.
export const gte = bound({
  name: '$gte',
  doc: 'A number of at least this.',
  holds: (actual, limit) => actual >= limit,
  matching: [0, 1],
  breaking: [-1],
});

export const gt = bound({
  name: '$gt',
  doc: 'A number greater than this.',
  holds: (actual, limit) => actual > limit,
  matching: [1],
  breaking: [0],
});

export const lte = bound({
  name: '$lte',
  doc: 'A number of at most this.',
  holds: (actual, limit) => actual <= limit,
  matching: [0, -1],
  breaking: [1],
});

export const lt = bound({
  name: '$lt',
  doc: 'A number less than this.',
  holds: (actual, limit) => actual < limit,
  matching: [-1],
  breaking: [0],
});

/** The field beside `$approx`, and the only one without a `$`. */
export const WITHIN = 'within';

/** Its argument is the pair of the number and `within`. */
export const approx: Matcher = {
  name: '$approx',
  doc: 'A number that is at most `within` away from this. `within` is required and belongs to `$approx`.',
  example: { $approx: 3.14, [WITHIN]: 0.01 },
  schema: number(),
  accepts: () => ['number'],
  holds(argument, actual) {
    const { center, within } = readApprox(argument);
    return isNumeric(actual) && isNear(center, actual, { tolerance: within, relative: false });
  },
  satisfying: (argument) => [readApprox(argument).center],
  breaking(argument) {
    const { center, within } = readApprox(argument);
    return [Number(center) + 2 * within + 1, Number(center) - 2 * within - 1, 'text'];
  },
};

export const withinSchema = number({ min: 0 });

export function readApprox(argument: Json): { readonly center: Numeric; readonly within: number } {
  const [center, within] = argument as readonly [Numeric, Numeric];
  return { center, within: Number(within) };
}

export function isNumeric(value: Json): value is Numeric {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** A step that a large number would swallow is made larger. */
function plus(value: Numeric, step: number): Numeric {
  if (typeof value === 'bigint') return value + BigInt(step);
  if (step === 0 || value + step !== value) return value + step;
  return value + (step * Math.abs(value)) / 1e6;
}
