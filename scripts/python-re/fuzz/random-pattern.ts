import type { Random } from '../../random.ts';

/** A random pattern, mostly valid: written by the grammar, or made from fragments of known ones. */
export function randomPattern(random: Random, known: readonly string[]): string {
  if (known.length > 0 && random.chance(0.35)) return mutate(random, random.pick(known), known);
  const state: GrammarState = { random, groups: 0, names: [], depth: 0 };
  const flags = random.chance(0.3) ? `(?${some(random, GLOBAL_FLAGS, 3)})` : '';
  const beginning = random.chance(0.25) ? random.pick(BEGINNINGS) : '';
  state.groups = beginning.match(/\((?!\?)/g)?.length ?? 0;
  const pattern = flags + beginning + alternation(state);
  return random.chance(0.08) ? mutate(random, pattern, [pattern]) : pattern;
}

const GLOBAL_FLAGS = ['i', 'm', 's', 'x', 'a', 'u', 'i', 's'];
/** What the search may skip places for. */
const BEGINNINGS = [
  '.*',
  '.*?',
  '.+',
  '.+?',
  '.*+',
  '.{2,}',
  '(?:.*)',
  '(?s:.*)',
  '(?>.*)',
  '\\s*',
  '\\w+',
  '[^a]*',
  '[\\s\\S]*',
  'a*',
  '(?i:a*)',
  '(?:.*a|.*b)',
  '(?:.*a|b)',
  '(?:a*|b*)',
  '(?:[ab])*',
  '(?:a|b)+?',
  '(?:.*b)+',
  '(?:a*b)+?',
  '(?:.*b)*',
  '(?:a+)+',
  '(?:\\w+\\s)+',
  '^.*',
  '(?m:^).*',
  '\\b.*',
  '(?=a).*',
  '(.*)',
  '(.+?)',
  '(a|b)*',
  '(a*)+',
  '((.*)b)+',
  '(?:(.*)a|(.*)b)',
  '(\\w)+',
  '(?<=a)a*',
  '\\B\\w*',
];
const SCOPED_FLAGS = ['i:', 'a:', 's:', 'm:', 'x:', '-i:', 'i-s:', 'u:', 'ai:', '-x:', 'si-m:'];
const LITERALS = [
  ...'aaaabbbcccxyzAKSskIi01_ -#',
  '\n',
  'é',
  'ß',
  'ſ',
  'İ',
  'ı',
  'µ',
  'Σ',
  'ς',
  '\u212a',
  'K',
  '😀',
  '𐐀',
  '𐐨',
  '\ud800',
  '\udc00',
  '\x1c',
  '\u0660',
];
const ESCAPES = [
  '\\w',
  '\\W',
  '\\d',
  '\\D',
  '\\s',
  '\\S',
  '\\n',
  '\\t',
  '\\.',
  '\\x61',
  '\\u0062',
  '\\141',
  '\\0',
  '\\U0001F600',
  '\\N{LATIN SMALL LETTER A}',
  '\\ud800',
  '\\-',
  '\\\\',
  '\\]',
];
const ANCHORS = ['^', '$', '\\A', '\\Z', '\\b', '\\B'];
const QUANTIFIERS = [
  '*',
  '+',
  '?',
  '*',
  '+',
  '?',
  '{2}',
  '{1,2}',
  '{0,2}',
  '{,2}',
  '{2,}',
  '{1}',
  '{0}',
  '{0,1}',
  '{3,4}',
  '{1,}',
];
const FRAGMENTS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '*',
  '+',
  '?',
  '|',
  '^',
  '$',
  '\\',
  '.',
  '-',
  '(?:',
  '(?=',
  '(?!',
  '(?<=',
  '(?<!',
  '(?>',
  '(?P<n>',
  '(?P=n)',
  '(?(1)',
  '(?i)',
  '(?x)',
  '(?i:',
  '(?-i:',
  '\\1',
  '\\2',
  '{2,3}',
  '{,',
  '#',
  '\n',
  '\\N{',
  '\\x',
  '\\u12',
  '[^',
  '[]',
  ',',
  ':',
  'a',
  '1',
  ' ',
  '(?#',
  '(?P',
  '(?<',
  '(?',
  '\\8',
  '\\01',
  '\\400',
  'é',
  '😀',
  "'",
  '"',
  '(?L)',
  '(?u)',
  '(?a)',
  '(?t)',
  '&&',
  '--',
  '[[',
  '_',
  '(?(n)',
  '(?P<é>',
  '²',
  '٣',
];

interface GrammarState {
  readonly random: Random;
  groups: number;
  readonly names: string[];
  depth: number;
}

function alternation(state: GrammarState): string {
  const count = state.random.chance(0.3) ? 2 + state.random.below(2) : 1;
  return Array.from({ length: count }, () => sequence(state)).join('|');
}

function sequence(state: GrammarState): string {
  const count = state.random.below(state.depth > 2 ? 3 : 5);
  return Array.from({ length: count }, () => quantified(state)).join('');
}

function quantified(state: GrammarState): string {
  const { random } = state;
  const item = atom(state);
  if (!random.chance(0.4)) return item;
  return item + random.pick(QUANTIFIERS) + random.pick(['', '', '', '?', '+']);
}

function atom(state: GrammarState): string {
  const { random } = state;
  const kind = random.below(state.depth > 3 ? 12 : 22);
  if (kind < 6) return random.pick(LITERALS);
  if (kind < 7) return '.';
  if (kind < 8) return random.pick(ESCAPES);
  if (kind < 9) return random.pick(ANCHORS);
  if (kind < 11) return characterClass(random);
  if (kind < 12) return backreference(state);
  return group(state);
}

function characterClass(random: Random): string {
  const items = Array.from({ length: 1 + random.below(3) }, () => {
    const choice = random.below(8);
    if (choice === 0) return random.pick(ESCAPES);
    if (choice === 1)
      return random.pick([
        'a-c',
        'A-Z',
        '0-9',
        'a-z',
        'À-ÿ',
        '\\ud7ff-\\ue000',
        '😀-😂',
        'I-k',
        '𐐀-𐐧',
        'K-𐐨',
        '\\x00-\\x7f',
      ]);
    return random.pick(LITERALS);
  });
  return `[${random.chance(0.25) ? '^' : ''}${items.join('')}]`;
}

function backreference({ random, groups, names }: GrammarState): string {
  if (names.length > 0 && random.chance(0.4)) return `(?P=${random.pick(names)})`;
  return `\\${1 + random.below(Math.max(groups, 1) + (random.chance(0.1) ? 1 : 0))}`;
}

function group(state: GrammarState): string {
  const { random } = state;
  state.depth += 1;
  const text = groupText(state, random.below(12));
  state.depth -= 1;
  return text;
}

function groupText(state: GrammarState, kind: number): string {
  const { random } = state;
  if (kind < 4) {
    state.groups += 1;
    const name = random.chance(0.2) ? `n${state.groups}` : undefined;
    const body = alternation(state);
    if (name === undefined) return `(${body})`;
    state.names.push(name);
    return `(?P<${name}>${body})`;
  }
  if (kind < 6) return `(?:${alternation(state)})`;
  if (kind < 7) return `(?${random.pick(SCOPED_FLAGS)}${alternation(state)})`;
  if (kind < 8) return `(?>${alternation(state)})`;
  if (kind < 9) return `(?${random.pick(['=', '!'])}${alternation(state)})`;
  if (kind < 10)
    return `(?${random.pick(['<=', '<!'])}${random.chance(0.7) ? random.pick(LITERALS) : alternation(state)})`;
  if (kind < 11) {
    const condition =
      state.names.length > 0 && random.chance(0.3)
        ? random.pick(state.names)
        : groupNumber(random, 1 + random.below(Math.max(1, state.groups)));
    return `(?(${condition})${sequence(state)}${random.chance(0.6) ? `|${sequence(state)}` : ''})`;
  }
  return random.chance(0.5) ? '(?#note)' : `(?:${alternation(state)})`;
}

/** Python's `int()` takes more spellings than digits. */
function groupNumber(random: Random, number: number): string {
  if (!random.chance(0.1)) return String(number);
  const blank = random.pick([
    ' ',
    '\t',
    '\x0b',
    '\x1c',
    '\x1f',
    '\x85',
    '\u2003',
    '+',
    '-',
    '0',
    '_',
    '\u0660',
    '',
  ]);
  return random.chance(0.5) ? blank + number : number + blank;
}

function mutate(random: Random, pattern: string, known: readonly string[]): string {
  let characters = Array.from(pattern);
  for (let round = 0; round <= random.below(3); round += 1) {
    const at = random.below(characters.length + 1);
    const choice = random.below(5);
    if (choice === 0) characters.splice(at, 1);
    else if (choice === 1) characters.splice(at, 0, random.pick(FRAGMENTS));
    else if (choice === 2) characters.splice(at, 1, random.pick(FRAGMENTS));
    else if (choice === 3) characters.splice(at, 0, ...characters.slice(random.below(at + 1), at));
    else {
      const other = Array.from(random.pick(known));
      characters = [...characters.slice(0, at), ...other.slice(random.below(other.length + 1))];
    }
    characters = Array.from(characters.join(''));
  }
  return characters.join('');
}

function some(random: Random, items: readonly string[], most: number): string {
  return Array.from({ length: 1 + random.below(most) }, () => random.pick(items)).join('');
}
