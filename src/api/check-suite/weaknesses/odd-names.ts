import { valueInMemory } from '../../../base/match/memory-path.ts';
import type { Place } from '../../../base/model/place.ts';
import type { Test } from '../../../base/model/test.ts';
import type { CallRule } from '../../../base/model/reply-requirements.ts';
import type { PlacedAssertion } from '../assertion-results.ts';

export interface OddName {
  readonly kind: 'tool' | 'memory path';
  readonly name: string;
  readonly usual: string;
  readonly place: Place;
  readonly test: string;
}

interface KnownName extends Pick<OddName, 'kind' | 'name'> {
  tests: number;
  lastTest: string;
  readonly first: Pick<OddName, 'place' | 'test'>;
}

/** The tool names and memory paths of one file: one that only one test uses may be a misspelling of another. */
export class OddNames {
  private readonly known = new Map<string, KnownName>();

  add({ id, memory = {} }: Test, assertions: readonly PlacedAssertion[]): void {
    for (const { assertion, wanted } of assertions) {
      for (const name of namesIn(wanted.call_rule ?? {}))
        this.count('tool', name, { test: id, place: assertion.place });
      const path = wanted.memory_rule?.path;
      if (path === undefined) continue;
      this.count('memory path', path, { test: id, place: assertion.place });
      // What memory has from the start is no slip.
      if (valueInMemory(memory, path) !== undefined)
        this.count('memory path', path, { test: '', place: assertion.place });
    }
  }

  odd(): readonly OddName[] {
    const all = [...this.known.values()];
    return all.flatMap(({ kind, name, tests, first }) => {
      if (tests > 1) return [];
      const meant = all.find((other) => other.kind === kind && other.tests > 1 && isSlipOf(name, other.name));
      return meant === undefined ? [] : [{ kind, name, usual: meant.name, ...first }];
    });
  }

  private count(kind: OddName['kind'], name: string, { test, place }: Pick<OddName, 'place' | 'test'>): void {
    const known = this.known.get(`${kind} ${name}`);
    if (known === undefined) {
      if (this.known.size >= MOST_NAMES) return;
      const { file, line, column } = place;
      const first = { place: { file, line, column }, test };
      this.known.set(`${kind} ${name}`, { kind, name, tests: 1, lastTest: test, first });
    } else if (known.lastTest !== test) {
      known.tests++;
      known.lastTest = test;
    }
  }
}

const MOST_NAMES = 2000;

function namesIn({
  sequence = [],
  order = [],
  least = {},
  most = {},
  only = [],
}: CallRule): ReadonlySet<string> {
  return new Set([...sequence, ...order, ...Object.keys(least), ...Object.keys(most), ...only]);
}

/**
 * Whether a name is another one with a typo: two letters swapped; one doubled, missing or wrong inside a long word;
 * or other separators. Names that differ in a short word, at its beginning or end, or in a number are two names.
 */
function isSlipOf(name: string, other: string): boolean {
  if (plain(name) === plain(other)) return true;
  const [a, b] = [wordsOf(name), wordsOf(other)];
  if (a.length !== b.length) return false;
  const different = a.flatMap((word, index) => (word === b[index] ? [] : [[word, b[index]!] as const]));
  return different.length === 1 && isSlip(...different[0]!);
}

function plain(name: string): string {
  return wordsOf(name).join('');
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
}

function isSlip(word: string, meant: string): boolean {
  if (/\d/.test(word + meant) || meant.length < SHORTEST) return false;
  let start = 0;
  while (start < word.length && word[start] === meant[start]) start++;
  let end = 0;
  while (end < word.length - start && end < meant.length - start && word.at(-1 - end) === meant.at(-1 - end))
    end++;
  const [odd, right] = [word.slice(start, word.length - end), meant.slice(start, meant.length - end)];
  const isSwap = odd.length === 2 && right.length === 2 && odd[0] === right[1] && odd[1] === right[0];
  const isInside = start > 0 && end > 0 && meant.length >= LONG;
  return isSwap || (isInside && odd.length <= 1 && right.length <= 1);
}

const SHORTEST = 4;
const LONG = 6;
