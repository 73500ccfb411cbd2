import type { Bound, RangeTerm } from './query.ts';

type Range = Pick<RangeTerm, 'low' | 'high' | 'decimals'>;

const RANGE = /^(.*?)\.\.(.*)$/;
const COMPARED = /^(<=|>=|<|>|=)(.+)$/;

/** `<0.7`, `>=2s`, `0.5..0.8`, `1k..`, or one number. */
export function parseRange(key: RangeTerm['key'], text: string): Range | undefined {
  const range = RANGE.exec(text);
  if (range !== null) return between(key, range[1]!, range[2]!);
  const [, sign = '=', written = text] = COMPARED.exec(text) ?? [];
  const amount = parseAmount(key, written);
  if (amount === undefined) return undefined;
  const { value, decimals } = amount;
  switch (sign) {
    case '<':
    case '<=':
      return { high: { value, isOpen: sign === '<' } };
    case '>':
    case '>=':
      return { low: { value, isOpen: sign === '>' } };
    default:
      return { low: closed(value), high: closed(value), ...(decimals > 0 ? { decimals } : {}) };
  }
}

function between(key: RangeTerm['key'], from: string, to: string): Range | undefined {
  const low = from === '' ? undefined : parseAmount(key, from)?.value;
  const high = to === '' ? undefined : parseAmount(key, to)?.value;
  if ((from !== '' && low === undefined) || (to !== '' && high === undefined)) return undefined;
  if (low === undefined && high === undefined) return undefined;
  if (low !== undefined && high !== undefined && low > high) return undefined;
  return {
    ...(low === undefined ? {} : { low: closed(low) }),
    ...(high === undefined ? {} : { high: closed(high) }),
  };
}

function closed(value: number): Bound {
  return { value, isOpen: false };
}

/** By what a number is multiplied. */
const UNITS: Readonly<Record<RangeTerm['key'], Readonly<Record<string, number>>>> = {
  score: { '': 1, '%': 0.01 },
  evaluator: { '': 1, '%': 0.01 },
  cost: { '': 1, $: 1, usd: 1 },
  // In milliseconds.
  time: { ms: 1, s: 1000, '': 1000, m: 60_000, min: 60_000, h: 3_600_000 },
  tokens: { '': 1, k: 1000, m: 1_000_000 },
};

interface Amount {
  readonly value: number;
  /** How many decimals were written, if values of the key are shown with decimals. */
  readonly decimals: number;
}

function parseAmount(key: RangeTerm['key'], text: string): Amount | undefined {
  const [, number, fraction, exponent = '', unit = ''] =
    /^\$?(\d*(?:\.(\d+))?)(e[+-]?\d+)?\s*([a-z%$]*)$/i.exec(text) ?? [];
  if (number === undefined || number === '') return undefined;
  const units = UNITS[key];
  const name = unit.toLowerCase();
  const factor = Object.hasOwn(units, name) ? units[name]! : undefined;
  if (factor === undefined) return undefined;
  const written = Number(`${number}${exponent}`);
  // A product may be off in its last digit: 0.07 * 1000.
  const value = factor === 1 ? written : Number((written * factor).toPrecision(15));
  if (!Number.isFinite(value)) return undefined;
  const isRounded = key !== 'time' && key !== 'tokens' && exponent === '' && fraction !== undefined;
  return { value, decimals: isRounded ? Math.min(fraction.length + (factor === 1 ? 0 : 2), 15) : 0 };
}

/** In the unit of the key: `parseRange` reads the same number from it. */
export function printAmount(key: RangeTerm['key'], value: number): string {
  if (key !== 'time') return String(value);
  const seconds = value / 1000;
  return Number.isInteger(seconds) ? `${seconds}s` : `${value}ms`;
}
