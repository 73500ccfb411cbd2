import { PatternError } from '../pattern-error.ts';
import { isPlainGroup, MAX_REPEAT, type Node, type RepeatNode } from '../syntax-tree.ts';
import { LONGEST_INTEGER } from './python-integer.ts';
import type { Tokenizer } from './tokenizer.ts';

/**
 * Applies the quantifier whose first character is taken already to the node before it.
 * Gives undefined where a brace opens no quantifier and stands for itself.
 */
export function parseQuantifier(
  source: Tokenizer,
  token: string,
  repeated: Node | undefined,
): RepeatNode | undefined {
  const afterToken = source.position;
  const bounds = parseBounds(source, token);
  if (bounds === undefined) {
    source.seek(afterToken);
    return undefined;
  }
  if (repeated === undefined || repeated.type === 'anchor') {
    throw source.errorAt('nothing to repeat', afterToken - 1);
  }
  if (repeated.type === 'repeat') throw source.errorAt('multiple repeat', afterToken - 1);
  const body = isPlainGroup(repeated) ? repeated.body : [repeated];
  return { type: 'repeat', mode: parseMode(source), ...bounds, body };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const DECIMAL_DIGIT = /^[0-9]$/;

function parseBounds(source: Tokenizer, token: string): Bounds | undefined {
  if (token === '?') return { min: 0, max: 1 };
  if (token === '*') return { min: 0, max: MAX_REPEAT };
  if (token === '+') return { min: 1, max: MAX_REPEAT };
  return parseBraces(source);
}

function parseBraces(source: Tokenizer): Bounds | undefined {
  const afterBrace = source.position;
  if (source.next === '}') return undefined;
  const low = source.takeWhile(Infinity, DECIMAL_DIGIT);
  const high = source.accept(',') ? source.takeWhile(Infinity, DECIMAL_DIGIT) : low;
  if (!source.accept('}')) return undefined;
  const min = low === '' ? 0 : repeatCount(low);
  const max = high === '' ? MAX_REPEAT : repeatCount(high);
  if (max < min) throw source.errorAt('min repeat greater than max repeat', afterBrace);
  return { min, max };
}

function repeatCount(digits: string): number {
  if (digits.length > LONGEST_INTEGER) {
    throw new PatternError(
      `Exceeds the limit (${LONGEST_INTEGER} digits) for integer string conversion: ` +
        `value has ${digits.length} digits; use sys.set_int_max_str_digits() to increase the limit`,
    );
  }
  const count = Number(digits);
  if (count >= MAX_REPEAT) throw new PatternError('the repetition number is too large');
  return count;
}

function parseMode(source: Tokenizer): RepeatNode['mode'] {
  if (source.accept('?')) return 'lazy';
  return source.accept('+') ? 'possessive' : 'greedy';
}
