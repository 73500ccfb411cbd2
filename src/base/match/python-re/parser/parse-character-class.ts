import type { CharacterNode, SetItem } from '../syntax-tree.ts';
import { parseClassEscape } from './parse-escape.ts';
import { tokenLength, type Tokenizer } from './tokenizer.ts';
import { uniqueItems } from './unique-items.ts';

/** Reads a character class of which the opening bracket is taken already. */
export function parseCharacterClass(source: Tokenizer): CharacterNode {
  const start = source.position - 1;
  const negated = source.accept('^');
  const items = uniqueItems(parseItems(source, start));
  const [only] = items;
  if (items.length === 1 && only?.type === 'character') {
    return { type: 'literal', codePoint: only.codePoint, negated };
  }
  return { type: 'set', negated, items };
}

function parseItems(source: Tokenizer, start: number): SetItem[] {
  const items: SetItem[] = [];
  for (;;) {
    const token = takeToken(source, start);
    if (token === ']' && items.length > 0) return items;
    const item = parseItem(source, token);
    if (!source.accept('-')) {
      items.push(item);
      continue;
    }
    const endToken = takeToken(source, start);
    if (endToken === ']') {
      items.push(item, { type: 'character', codePoint: HYPHEN });
      return items;
    }
    items.push(rangeOf(source, [token, item], [endToken, parseItem(source, endToken)]));
  }
}

const HYPHEN = 0x2d;

function takeToken(source: Tokenizer, start: number): string {
  const token = source.take();
  if (token === undefined) throw source.errorAt('unterminated character set', start);
  return token;
}

function parseItem(source: Tokenizer, token: string): SetItem {
  if (token.startsWith('\\')) return parseClassEscape(source, token);
  return { type: 'character', codePoint: token.codePointAt(0)! };
}

function rangeOf(
  source: Tokenizer,
  from: readonly [string, SetItem],
  to: readonly [string, SetItem],
): SetItem {
  const [fromToken, low] = from;
  const [toToken, high] = to;
  if (low.type !== 'character' || high.type !== 'character' || high.codePoint < low.codePoint) {
    const range = `${fromToken}-${toToken}`;
    throw source.error(`bad character range ${range}`, tokenLength(range));
  }
  return { type: 'range', low: low.codePoint, high: high.codePoint };
}
