/** What a query asks of a test. All terms must hold. */
export interface SearchQuery {
  readonly terms: readonly Term[];
}

export type Term = TextTerm | ValuesTerm | RangeTerm;

/** A text that occurs in the test: in its names, its problem, its conversation. */
interface TextTerm {
  readonly kind: 'text';
  readonly isNegated: boolean;
  readonly text: string;
}

/** `tag:billing,refunds`: one of the values. */
export interface ValuesTerm {
  readonly kind: 'values';
  readonly isNegated: boolean;
  readonly key: ValueKey;
  /** `metadata.team`, `evaluator.tone`: what comes after the key. */
  readonly path?: string | undefined;
  readonly values: readonly string[];
}

/** `score:<0.7`, `time:1s..2s`. A number that is not known is in no range. */
export interface RangeTerm {
  readonly kind: 'range';
  readonly isNegated: boolean;
  readonly key: NumberKey | 'evaluator';
  readonly path?: string | undefined;
  readonly low?: Bound | undefined;
  readonly high?: Bound | undefined;
  /** Of a single number: numbers are shown rounded, so `score:0.67` finds all that are shown as 0.67. */
  readonly decimals?: number | undefined;
}

export interface Bound {
  readonly value: number;
  readonly isOpen: boolean;
}

/** The keys of a query, with what stands after them. */
export const KEYS = {
  verdict: { takes: 'values', doc: 'passed, failed, error, skipped or flaky' },
  score: { takes: 'range', doc: '0 to 1, as in <0.7 or 0.5..0.8' },
  cost: { takes: 'range', doc: 'US dollars, as in >0.01' },
  time: { takes: 'range', doc: 'ms, s, min or h, as in >2s' },
  tokens: { takes: 'range', doc: 'input and output, as in >10k' },
  evaluator: { takes: 'values', doc: 'name or kind; evaluator.NAME:<0.5 for its score' },
  tag: { takes: 'values', doc: 'one of its tags' },
  target: { takes: 'values', doc: 'the agent' },
  error: { takes: 'values', doc: 'kind of error: timeout, agent, judge, …' },
  metadata: { takes: 'values', doc: 'metadata.FIELD:value' },
  file: { takes: 'values', doc: 'path, or the end of it' },
  test: { takes: 'values', doc: 'name; * stands for anything' },
  label: { takes: 'values', doc: 'right, wrong or none' },
  flaky: { takes: 'values', doc: 'yes or no' },
  text: { takes: 'text', doc: 'words, as without a key' },
} as const satisfies Readonly<
  Record<string, { readonly takes: 'values' | 'range' | 'text'; readonly doc: string }>
>;

export type Key = keyof typeof KEYS;
export type NumberKey = 'score' | 'cost' | 'time' | 'tokens';
export type ValueKey = Exclude<Key, 'text'>;

/** Older names of keys, and names that people try. */
export const OTHER_NAMES: Readonly<Record<string, Key>> = {
  agent: 'target',
  model: 'target',
  status: 'verdict',
  is: 'verdict',
  tags: 'tag',
  duration: 'time',
  latency: 'time',
  meta: 'metadata',
  name: 'test',
  path: 'file',
  kind: 'error',
};

/** The values of the keys that have a fixed set of them. */
export const FIXED_VALUES: Readonly<Partial<Record<Key, readonly string[]>>> = {
  verdict: ['failed', 'error', 'flaky', 'passed', 'skipped', 'not_graded'],
  flaky: ['yes', 'no'],
  label: ['right', 'wrong', 'none'],
};

/** What stands for a number that is not known. */
export const NOT_KNOWN = 'none';

export const EMPTY_QUERY: SearchQuery = { terms: [] };

export function isNumberKey(key: Key): key is NumberKey {
  return KEYS[key].takes === 'range';
}
