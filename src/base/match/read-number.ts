import type { Json } from '../model/json.ts';

/** A number, or a text that is one: `1234.5`, ` 1,234.50 `, `-2e3`. Undefined for anything else. */
export function readNumber(value: Json): number | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (!NUMERAL.test(text)) return undefined;
  const digits = text.replaceAll(',', '').replace(/^\+/, '');
  const number = Number(digits);
  if (!Number.isFinite(number)) return undefined;
  return Number.isSafeInteger(number) || /[.eE]/.test(digits) ? number : BigInt(digits);
}

/** Commas only between groups of three, so that the decimal comma of `1,5` is not taken for one. */
const NUMERAL = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d)\.?)(?:[eE][+-]?\d+)?$/;

export interface Tolerance {
  readonly tolerance: number;
  /** The tolerance is a share of the expected number; for 0 it is absolute. */
  readonly relative: boolean;
}

/** Whether a number is within the tolerance of the expected one; the exact bound is included. */
export function isNear(
  expected: number | bigint,
  actual: number | bigint,
  { tolerance, relative }: Tolerance,
): boolean {
  const allowed = relative && Number(expected) !== 0 ? tolerance * Math.abs(Number(expected)) : tolerance;
  if (Number.isInteger(Number(expected)) && Number.isInteger(Number(actual))) {
    const distance = BigInt(expected) - BigInt(actual);
    return Number(distance < 0n ? -distance : distance) <= allowed;
  }
  const [wanted, found] = [Number(expected), Number(actual)];
  // 1.1 is 0.1 from 1, but in floating point it is a little more.
  const rounding = tolerance === 0 ? 0 : ROUNDING * Math.max(Math.abs(wanted), Math.abs(found));
  return Math.abs(wanted - found) <= allowed + rounding;
}

const ROUNDING = 1e-14;
