import type { RunOptions } from '../api/run-options.ts';
import { MOST_REPEATS } from '../model/gate.ts';

type GateOptions = Pick<
  RunOptions,
  'repeats' | 'confidence' | 'maxRepeats' | 'minPassRate' | 'maxFlaky' | 'minCoverage' | 'maxCost'
>;

/** The options about repeats, gates and money. What is wrong with one of them is added to the problems. */
export function readGateOptions(text: (name: string) => string | undefined, problems: string[]): GateOptions {
  const read = <T>(name: string, parse: (value: string) => T | undefined, wanted: string): T | undefined => {
    const value = text(name);
    const parsed = value === undefined ? undefined : parse(value);
    if (value !== undefined && parsed === undefined)
      problems.push(`--${name} takes ${wanted}, not "${value}"`);
    return parsed;
  };
  const repeats = read('repeats', parseRepeats, 'a whole number of at least 1, or auto');
  for (const name of ['confidence', 'max-repeats'])
    if (text(name) !== undefined && repeats !== 'auto') problems.push(`--${name} is for --repeats auto`);
  return {
    repeats,
    confidence: read('confidence', parseConfidence, 'a number from 0.5 to below 1, such as 0.95'),
    maxRepeats: read('max-repeats', parseMaxRepeats, `a whole number from 1 to ${MOST_REPEATS}`),
    minPassRate: read('min-pass-rate', parseShare, 'a share such as 0.9 or 90%'),
    maxFlaky: read('max-flaky', parseMaxFlaky, 'a number of tests such as 2, or a share such as 5%'),
    minCoverage: read('min-coverage', parseShare, 'a share such as 0.9 or 90%'),
    maxCost: read('max-cost', parseMoney, 'US dollars such as 2.50'),
  };
}

function parseRepeats(value: string): number | 'auto' | undefined {
  return value === 'auto' ? 'auto' : parseCount(value);
}

function parseCount(value: string): number | undefined {
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
}

function parseMaxRepeats(value: string): number | undefined {
  const count = parseCount(value);
  return count === undefined || count > MOST_REPEATS ? undefined : count;
}

/** `0.9` or `90%`. */
function parseShare(value: string): number | undefined {
  const [, digits, percent] = /^(\d+(?:\.\d+)?|\.\d+)(%?)$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const share = percent === '%' ? Number(digits) / 100 : Number(digits);
  return share <= 1 ? share : undefined;
}

function parseConfidence(value: string): number | undefined {
  const share = parseShare(value);
  return share !== undefined && share >= 0.5 && share < 1 ? share : undefined;
}

/** A whole number counts tests; a fraction or a percentage is a share of them. */
function parseMaxFlaky(value: string): number | undefined {
  if (/^\d+$/.test(value)) return Number(value);
  const share = parseShare(value);
  return share !== undefined && share < 1 ? share : undefined;
}

function parseMoney(value: string): number | undefined {
  return /^\$?(?:\d+(?:\.\d+)?|\.\d+)$/.test(value) ? Number(value.replace('$', '')) : undefined;
}
