import { search } from './index.ts';
import { parsePattern } from './parser/parse-pattern.ts';
import type { Node, Sequence, SetItem } from './syntax-tree.ts';

/**
 * A text in which the pattern is found, when one can be made simply: looking around and conditions are not followed, so
 * that what was made is searched before it is trusted. `isFound` searches when the pattern is of another dialect.
 */
export function sampleMatch(
  pattern: string,
  isFound: (text: string) => boolean = (text) => search(pattern, text) !== null,
): string | undefined {
  try {
    const { body } = parsePattern(pattern);
    for (const choice of CHOICES) {
      const text = new Sampler(choice).sequence(body);
      if (text.length <= LONGEST && isFound(text)) return text;
    }
  } catch {
    // A pattern of another dialect, or one that nothing simple fits.
  }
  return undefined;
}

const LONGEST = 10_000;

interface Choice {
  /** How often a repetition is made beyond what it must. */
  readonly extra: 0 | 1;
  readonly alternative: 0 | -1;
}

/** A match of one character or more is more of an answer than an empty one. */
const CHOICES: readonly Choice[] = [
  { extra: 1, alternative: 0 },
  { extra: 0, alternative: 0 },
  { extra: 1, alternative: -1 },
  { extra: 0, alternative: -1 },
];

class Sampler {
  private readonly choice: Choice;
  private readonly groups = new Map<number, string>();

  constructor(choice: Choice) {
    this.choice = choice;
  }

  sequence(nodes: Sequence): string {
    return nodes.map((node) => this.node(node)).join('');
  }

  private node(node: Node): string {
    switch (node.type) {
      case 'literal':
        return node.negated ? pick((code) => code !== node.codePoint) : String.fromCodePoint(node.codePoint);
      case 'any':
        return 'a';
      case 'set':
        return sampleOfSet(node.items, node.negated);
      case 'branch':
        return this.sequence(node.alternatives.at(this.choice.alternative)!);
      case 'repeat': {
        const times = Math.min(node.max, node.min + (node.min === 0 ? this.choice.extra : 0));
        if (times > LONGEST) throw new RangeError('too long a text');
        let text = '';
        for (let time = 0; time < times; time++) text += this.sequence(node.body);
        return text;
      }
      case 'group': {
        const text = this.sequence(node.body);
        if (node.index !== undefined) this.groups.set(node.index, text);
        return text;
      }
      case 'atomic':
        return this.sequence(node.body);
      case 'backreference':
        return this.groups.get(node.group) ?? '';
      default:
        return '';
    }
  }
}

function sampleOfSet(items: readonly SetItem[], negated: boolean): string {
  if (negated) return pick((code) => !items.some((item) => holds(item, code)));
  const first = items[0]!;
  if (first.type === 'character') return String.fromCodePoint(first.codePoint);
  if (first.type === 'range') return String.fromCodePoint(first.low);
  return pick((code) => holds(first, code));
}

function pick(fits: (codePoint: number) => boolean): string {
  const found = [...'a1 -bA_2.z~é\n'].find((character) => fits(character.codePointAt(0)!));
  if (found === undefined) throw new RangeError('no character was found that fits');
  return found;
}

const CATEGORIES = { digit: /\d/, space: /\s/, word: /[\p{L}\p{N}_]/u } as const;

function holds(item: SetItem, codePoint: number): boolean {
  if (item.type === 'character') return item.codePoint === codePoint;
  if (item.type === 'range') return codePoint >= item.low && codePoint <= item.high;
  return CATEGORIES[item.category].test(String.fromCodePoint(codePoint)) !== item.negated;
}
