/** Where a JSON value ends; or that the text ends inside it; or where it stops being JSON. */
export type JsonScan =
  | { readonly kind: 'complete'; readonly end: number }
  | { readonly kind: 'broken_off'; readonly end: number }
  | { readonly kind: 'invalid'; readonly end: number };

/** Follows an object or a list from its first bracket. No recursion: agents print anything. */
export function scanJson(text: string, start: number): JsonScan {
  const brackets: string[] = [];
  let wanted = 'value' as Wanted;
  let at = start;
  for (;;) {
    at = skipBlanks(text, at);
    const character = text.charAt(at);
    if (character === '') return { kind: 'broken_off', end: at };
    if (character === '}' || character === ']') {
      if (!CLOSABLE.has(wanted) || brackets.pop() !== character) return { kind: 'invalid', end: at };
      if (brackets.length === 0) return { kind: 'complete', end: at + 1 };
      wanted = 'comma';
      at++;
    } else if (wanted === 'comma' || wanted === 'colon') {
      if (character !== (wanted === 'comma' ? ',' : ':')) return { kind: 'invalid', end: at };
      wanted = wanted === 'colon' || brackets.at(-1) === ']' ? 'value' : 'key';
      at++;
    } else if (character === '"') {
      const end = skipString(text, at);
      if (end.kind !== 'complete') return end;
      wanted = wanted === 'key' || wanted === 'first_key' ? 'colon' : 'comma';
      at = end.end;
    } else if (wanted === 'key' || wanted === 'first_key') {
      return { kind: 'invalid', end: at };
    } else if (character === '{' || character === '[') {
      brackets.push(character === '{' ? '}' : ']');
      wanted = character === '{' ? 'first_key' : 'first_value';
      at++;
    } else {
      SCALAR.lastIndex = at;
      const [scalar = ''] = SCALAR.exec(text) ?? [];
      if (!COMPLETE_SCALAR.test(scalar)) {
        const isCut = at + scalar.length === text.length && HALF_SCALAR.test(scalar);
        return { kind: isCut ? 'broken_off' : 'invalid', end: at };
      }
      wanted = 'comma';
      at += scalar.length;
    }
  }
}

type Wanted = 'value' | 'first_value' | 'key' | 'first_key' | 'colon' | 'comma';

/** After these a bracket may close: a value, or nothing at all. */
const CLOSABLE: ReadonlySet<Wanted> = new Set(['comma', 'first_value', 'first_key']);

const SCALAR = /[-+.\w]*/y;
const COMPLETE_SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;
const HALF_SCALAR = /^(?:t|tr|tru|f|fa|fal|fals|n|nu|nul|-?\d*\.?\d*(?:[eE][-+]?\d*)?)$/;

function skipBlanks(text: string, at: number): number {
  let index = at;
  while (BLANKS.has(text.charCodeAt(index))) index++;
  return index;
}

const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

function skipString(text: string, start: number): JsonScan {
  for (let index = start + 1; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0x22) return { kind: 'complete', end: index + 1 };
    if (code === 0x5c) index++;
    // A line never ends inside a string.
    else if (code < 0x20) return { kind: 'invalid', end: index };
  }
  return { kind: 'broken_off', end: text.length };
}
