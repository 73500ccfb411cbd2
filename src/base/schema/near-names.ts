/**
 * A pattern, without anchors, for every text that is one typing mistake away from one of these names, or written with other
 * capitals: a letter too many, too few, wrong, or two of them swapped. Published schemas tell a misspelled name from a name
 * that only the project knows.
 */
export function nearNames(names: readonly string[]): string {
  return names.map((name) => `${anyCase(name)}|${oneMistake(name)}`).join('|');
}

/**
 * A pattern, without anchors, for these names with two letters next to each other swapped. Nobody calls something of their own
 * so, where a short name with another letter may be meant: `post` beside `cost`.
 */
export function swappedNames(names: readonly string[]): string {
  const swapped = names.flatMap((name) =>
    [...name]
      .slice(1)
      .map((letter, index) => name.slice(0, index) + letter + name[index]! + name.slice(index + 2)),
  );
  return swapped
    .filter((name) => !names.includes(name))
    .map(literally)
    .join('|');
}

function literally(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

const LETTER = '[a-z_-]';

function oneMistake(name: string): string {
  const [first, second] = name;
  if (first === undefined) return LETTER;
  const rest = name.slice(1);
  const here = [`${LETTER}?${escaped(rest)}`, `${LETTER}${escaped(name)}`];
  if (second !== undefined && second !== first)
    here.push(`${escaped(second)}${escaped(first)}${escaped(rest.slice(1))}`);
  return `(?:${here.join('|')}|${escaped(first)}${oneMistake(rest)})`;
}

function anyCase(name: string): string {
  return [...name]
    .map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : escaped(letter)))
    .join('');
}

/** For a pattern; `_`, `-` and nothing are the same between words. */
function escaped(words: string): string {
  return literally(words).replaceAll(/[-_]/g, '[-_]?');
}
