/**
 * Splits a command line into words as a shell does: quotes and backslashes work, nothing is expanded. Undefined if
 * a quote is not closed.
 */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index);
    if (quote === undefined && /\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === quote) {
      quote = undefined;
    } else if (quote === undefined && (character === '"' || character === "'")) {
      quote = character;
      word ??= '';
    } else if (character === '\\' && isEscape(line.charAt(index + 1), quote)) {
      word = (word ?? '') + line.charAt(++index);
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== undefined) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

/** In single quotes a backslash is a plain character; in double quotes it escapes only special characters. */
function isEscape(next: string, quote: string | undefined): boolean {
  if (next === '' || quote === "'") return false;
  return quote === undefined || '"\\$`'.includes(next);
}
