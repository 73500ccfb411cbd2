/**
 * How many characters the value at the start of this text takes, in YAML and JSON: what a caret must cover. Only the
 * text of one line is known, so a value that continues on the next line ends with this one. `isInFlow`: inside
 * brackets, where a comma ends a value. `isKey`: it may be a key, which is then covered alone.
 */
export function valueExtent(
  text: string,
  { isInFlow, isKey }: { readonly isInFlow: boolean; readonly isKey: boolean },
): number {
  const [first = ''] = text;
  if (first === '"' || first === "'") return quotedExtent(text, first);
  if (first === '[' || first === '{') return bracketExtent(text);
  if (text.startsWith('- ')) return 1;
  const key = isKey ? KEY.exec(text) : null;
  if (key !== null) return key[0].length;
  const end = text.search(isInFlow ? ENDS_IN_FLOW : COMMENT);
  return Math.max(1, text.slice(0, end === -1 ? undefined : end).trimEnd().length);
}

/** Whether the text before a place on its line leaves a bracket open. */
export function leavesBracketOpen(before: string): boolean {
  let depth = 0;
  for (let index = 0; index < before.length; index++) {
    const character = before[index]!;
    // A quote inside a word is an apostrophe.
    const opens = (character === '"' || character === "'") && /^$|[\s[{,:]/.test(before[index - 1] ?? '');
    if (opens) index += quotedExtent(before.slice(index), character) - 1;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
  }
  return depth > 0;
}

/** A key up to its colon: what stands behind it has its own place. */
const KEY = /^[^\s"'[\]{},#&*!|>%@`:][^:#"'[\]{},]*(?=:(?:\s|$))/;
const ENDS_IN_FLOW = /[,\]}]|\s#/;
const COMMENT = /\s#/;

function quotedExtent(text: string, quote: string): number {
  for (let index = 1; index < text.length; index++) {
    if (quote === '"' && text[index] === '\\') index++;
    else if (text[index] === quote) {
      if (quote === '"' || text[index + 1] !== "'") return index + 1;
      index++;
    }
  }
  return text.trimEnd().length;
}

function bracketExtent(text: string): number {
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    const opens = (character === '"' || character === "'") && /[\s[{,:]/.test(text[index - 1] ?? '');
    if (opens) index += quotedExtent(text.slice(index), character) - 1;
    else if (character === '[' || character === '{') depth++;
    else if ((character === ']' || character === '}') && --depth === 0) return index + 1;
  }
  return text.trimEnd().length;
}
